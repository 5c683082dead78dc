def indirect = 3
