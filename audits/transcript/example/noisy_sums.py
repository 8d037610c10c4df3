"""Two noisy sums, the second clipped at what the first said: a mechanism that records its releases.

Usage: noisy_sums.py right|wrong RUNS >FILE; then dpverify audit --transcripts FILE --epsilon 1.
"""
import json, random, sys


class Releases:
    """Draws from a law and writes a line; with `pinned`, gives these outcomes back instead."""

    def __init__(self, run, side, pinned=None):
        self.run, self.side, self.pinned, self.outcomes = run, side, pinned, []

    def laplace(self, value, sensitivity, scale):
        noise = random.choice((-1, 1)) * random.expovariate(1 / scale)
        outcome = value + noise if self.pinned is None else self.pinned[len(self.outcomes)]
        self.outcomes.append(outcome)
        print(json.dumps({
            "run": self.run, "side": self.side, "release": len(self.outcomes),
            "pinned": self.pinned is not None, "law": "laplace", "value": value, "scale": scale,
            "sensitivity": sensitivity, "norm": "l1", "outcome": outcome}))
        return outcome


def mechanism(data, releases, clips):
    """(1/2 + 1/2)-DP if each record moves either sum by at most what is declared."""
    rough = releases.laplace(sum(min(x, 1) for x in data), 1, 2)
    bound = max(1.0, rough / len(data))
    total = sum(min(x, bound) if clips else x for x in data)
    return releases.laplace(total, bound, 2 * bound) / len(data)


data, neighbour = [0.2, 0.5, 0.9, 0.0], [0.2, 0.5, 0.9, 4.0]
for run in range(2 * int(sys.argv[2])):
    sides = [("data", data), ("neighbour", neighbour)]
    if run % 2:  # the direction: which dataset draws, and which replays
        sides.reverse()
    pinned = None
    for side, records in sides:
        releases = Releases(run, side, pinned)
        output = mechanism(records, releases, clips=sys.argv[1] == "right")
        print(json.dumps({"run": run, "side": side, "output": output}))
        pinned = releases.outcomes
