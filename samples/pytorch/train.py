"""Trains a small network of layers that are written in layer.fut, and the same network of PyTorch's own layers.

    boustro translate layer.fut --bindings torch      # layer.cpp, layer.hpp, layer_torch.cpp
    (build: the command in the head of layer_torch.cpp)
    python3 train.py

Both begin with the same weights and see the same data, so that they reach the same loss.
"""
import torch


class Dense(torch.nn.Module):
    """tanh(batch @ weights.T + bias), with its gradient: by layer.fut."""

    def __init__(self, inputs, outputs):
        super().__init__()
        like = torch.nn.Linear(inputs, outputs)
        self.weights, self.bias = like.weight, like.bias

    def forward(self, batch):
        return torch.ops.layer.dense(batch, self.weights, self.bias)


def plain(inputs, outputs):
    return torch.nn.Sequential(torch.nn.Linear(inputs, outputs), torch.nn.Tanh())


def network(layer):
    torch.manual_seed(7)
    return torch.nn.Sequential(layer(2, 16), layer(16, 16), torch.nn.Linear(16, 1))


def train(net, xs, ys, steps=200):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(xs), ys)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.ops.load_library("./layer_torch.so")
    torch.manual_seed(1)
    points = torch.rand(256, 2) * 4 - 2
    heights = torch.sin(points[:, :1]) * points[:, 1:]
    print("loss after 200 steps by layer.fut:", train(network(Dense), points, heights))
    print("loss after 200 steps by PyTorch:  ", train(network(plain), points, heights))
