// Losses of linear models that are Lipschitz and smooth for every record.
#pragma once

#include "algorithms/claims/fields.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

// The records with features x shrunk onto {||x||_q <= lipschitz} (and logistic labels read by their
// sign): every gradient then has a q-norm of at most `lipschitz`, which makes the loss
// lipschitz-Lipschitz with respect to the dual of the q-norm. Record by record, so neighbours stay
// neighbours. Throws std::invalid_argument unless the loss is logistic or pseudo_huber.
Dataset lipschitz_records(Loss loss, const Dataset& data, double q, double lipschitz);

// The same one after another, without a copy of the data, which must outlive it.
class LipschitzRecords {
 public:
  LipschitzRecords(Loss loss, const DataView& data, double q, double lipschitz);
  void read_features(Index i, VectorXd& into) const;
  double label(Index i) const;

 private:
  DataView data_;
  Loss loss_;
  double q_, lipschitz_;
};

// empirical_risk of the records so shrunk, without a copy of them: not private. Throws likewise,
// and if w has not the length of a record.
double lipschitz_risk(Loss loss, const VectorXd& w, const DataView& data, double q,
                      double lipschitz);

// beta: the gradient of such a loss moves in q-norm by at most beta times the move of w in the dual
// norm. The largest second derivative of the loss, 1/4 or 1, times lipschitz^2. Throws likewise.
double smoothness(Loss loss, double lipschitz);

// Such a loss in a table of fields: claims speak of it as "logistic", 0 or 1, and a user gives its
// name.
template <class P>
Field<P> logistic_field(Loss P::*loss) {
  Field<P> out = field("logistic", loss);
  out.number = [loss](const P& p) { return p.*loss == Loss::logistic ? 1.0 : 0.0; };
  out.set_number = [loss](P& p, double x) {
    p.*loss = x == 1 ? Loss::logistic : Loss::pseudo_huber;
  };
  return out.range(0, 0, 1);
}
template <class P>
Field<P> loss_field(Loss P::*loss) {
  return field("loss", loss, {{"pseudo_huber", Loss::pseudo_huber}, {"logistic", Loss::logistic}})
      .option("pseudo_huber or logistic (labels -1 and 1)");
}

}  // namespace dpverify::su
