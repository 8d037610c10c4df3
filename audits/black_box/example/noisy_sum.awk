# The sum of the last column, of numbers in [0, 1], with Laplace noise of scale 1, a line a run.
BEGIN {
  srand(seed)
  FS = ","
  while ((getline <data) > 0) if ($NF != "x") sum += $NF
  for (i = 0; i < runs; ++i) {
    u = 2 * rand() - 1
    print sum + (u < 0 ? -1 : 1) * -log(1 - (u < 0 ? -u : u))
  }
}
