"""Many simulations: fields of batches, named access, and `mj.Batch`."""
