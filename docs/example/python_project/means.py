"""Private means of numbers in [-1, 1]: with the noise that epsilon-DP needs, and with half of it."""


def noisy_mean(data, sensitivity, epsilon, releases):
    return releases.laplace(data.clip(-1, 1).mean(axis=0), sensitivity, scale=sensitivity / epsilon)


def mean(data, releases, epsilon=1.0):
    return noisy_mean(data, 2 / len(data), epsilon, releases)


def hasty_mean(data, releases, epsilon=1.0):
    """Takes one record to move a mean in [-1, 1] by 1/n."""
    return noisy_mean(data, 1 / len(data), epsilon, releases)


if __name__ == "__main__":
    import dpverify
    import numpy as np

    print(dpverify.run(mean, np.array([[0.5], [0.25], [-1.0]])))
