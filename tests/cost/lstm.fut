-- A long short-term memory network, as in samples/lstm.fut. The return sweep either computes the layers again, once for each of the
-- two loops around them, or finds what they computed kept.

def sigmoid (x: f64) : f64 =
  1 / (1 + f64.exp (-x))

type^ layer [b] = [4][b]f64 -> [4][b]f64 -> [b]f64 -> [b]f64 -> [b]f64 -> ([b]f64, [b]f64)

-- | One layer: its next hidden and cell rows.
def recomputed [b] (weights: [4][b]f64) (biases: [4][b]f64) (hidden: [b]f64) (cell: [b]f64) (input: [b]f64)
               : ([b]f64, [b]f64) =
  let gate f xs i = map3 (\x weight bias -> f (x * weight + bias)) xs weights[i] biases[i]
  let forget = gate sigmoid input 0
  let ingate = gate sigmoid hidden 1
  let outgate = gate sigmoid input 2
  let change = gate f64.tanh hidden 3
  let new_cell = map4 (\c f i u -> c * f + i * u) cell forget ingate change
  let new_hidden = map2 (\o c -> o * f64.tanh c) outgate new_cell
  in (new_hidden, new_cell)

-- | The same, with its gates and cells kept.
def kept [b] (weights: [4][b]f64) (biases: [4][b]f64) (hidden: [b]f64) (cell: [b]f64) (input: [b]f64)
         : ([b]f64, [b]f64) =
  let gate f xs i = map3 (\x weight bias -> f (x * weight + bias)) xs weights[i] biases[i]
  let forget = #[keep] gate sigmoid input 0
  let ingate = #[keep] gate sigmoid hidden 1
  let outgate = #[keep] gate sigmoid input 2
  let change = #[keep] gate f64.tanh hidden 3
  let new_cell = #[keep] map4 (\c f i u -> c * f + i * u) cell forget ingate change
  let new_hidden = map2 (\o c -> o * f64.tanh c) outgate new_cell
  in (new_hidden, new_cell)

-- | The prediction for the row after `input`, and the new state of all layers.
def predict [l] [b]
            (layer: layer [b])
            (layers: [l][2][4][b]f64)
            (extra: [3][b]f64)
            (state: *[l][2][b]f64)
            (input: [b]f64) : (*[l][2][b]f64, [b]f64) =
  let first = map2 (*) input extra[0]
  let (state, last) =
    loop (state, x) = (state, first) for i < l do
      let (hidden, cell) = layer layers[i, 0] layers[i, 1] (copy state[i, 0]) (copy state[i, 1]) x
      let state[i, 0] = hidden
      let state[i, 1] = cell
      in (state, hidden)
  in (state, map3 (\x weight bias -> x * weight + bias) last extra[1] extra[2])

def objective [m] [w] [b] [t]
              (layer: layer [b])
              (main_params: [m][w]f64)
              (extra_params: [3][b]f64)
              (state: [m][b]f64)
              (sequence: [t][b]f64) : f64 =
  let l = m / 2
  let layers = unflatten (map unflatten (main_params :> [l * 2][4 * b]f64))
  let start = unflatten (state :> [l * 2][b]f64)
  let (_, total) =
    loop (state, total) = (copy start, 0) for i < t - 1 do
      let (state, ys) = predict layer layers extra_params state sequence[i]
      let normaliser = f64.log (2 + f64.sum (map f64.exp ys))
      in (state, total + f64.sum (map2 (\x y -> x * (y - normaliser)) sequence[i + 1] ys))
  in -total / f64.i64 (b * (t - 1))

entry loss [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state: [m][b]f64) (sequence: [t][b]f64)
                           : f64 =
  objective recomputed main_params extra_params state sequence

entry gradient [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state: [m][b]f64)
                               (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64) =
  vjp (\(main, extra) -> objective recomputed main extra state sequence) (main_params, extra_params) 1

entry gradient_kept [m] [w] [b] [t] (main_params: [m][w]f64) (extra_params: [3][b]f64) (state: [m][b]f64)
                                    (sequence: [t][b]f64) : ([m][w]f64, [3][b]f64) =
  vjp (\(main, extra) -> objective kept main extra state sequence) (main_params, extra_params) 1
