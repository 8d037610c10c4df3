// Losses of linear models that are Lipschitz and smooth for every record.
#pragma once

#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

// The records with features x shrunk onto {||x||_q <= lipschitz} (and logistic labels read by their
// sign): every gradient then has a q-norm of at most `lipschitz`, which makes the loss
// lipschitz-Lipschitz with respect to the dual of the q-norm. Record by record, so neighbours stay
// neighbours. Throws std::invalid_argument unless the loss is logistic or pseudo_huber.
Dataset lipschitz_records(Loss loss, const Dataset& data, double q, double lipschitz);

// beta: the gradient of such a loss moves in q-norm by at most beta times the move of w in the dual
// norm. The largest second derivative of the loss, 1/4 or 1, times lipschitz^2. Throws likewise.
double smoothness(Loss loss, double lipschitz);

}  // namespace dpverify::su
