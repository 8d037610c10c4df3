"""What the means claim: python -m unittest, with dpverify."""

import unittest

import dpverify

from means import hasty_mean, mean

# Arguments of dpverify.check: the guarantee, and the datasets that it is claimed for.
CLAIM = {"epsilon": 1.0, "records": 5, "columns": 1}


class Means(unittest.TestCase):
    def test_mean_is_what_it_claims(self):
        result = dpverify.check(mean, **CLAIM)
        self.assertEqual(result.verdict, "consistent", result)
        self.assertEqual(result.privacy.strength, "certified")

    def test_hasty_mean_is_not(self):
        """Its noise is half of what it should be."""
        self.assertEqual(dpverify.check(hasty_mean, **CLAIM).verdict, "refuted")

    @unittest.skip("fails, as it should: what a failure looks like, with the pair that shows it")
    def test_hasty_mean_is_private(self):
        result = dpverify.check(hasty_mean, **CLAIM)
        self.assertNotEqual(result.verdict, "refuted", result)


if __name__ == "__main__":
    unittest.main()
