"""onnx's backend interface over `Evaluator`: prepare, run_model, run_node, supports_device."""

from __future__ import annotations

from typing import Any

from bnnspy.onnx.arrays import invalid
from bnnspy.onnx.domains import plain_model, plain_node
from bnnspy.onnx.evaluator import Evaluator
from bnnspy.onnx.extra import onnx


class BackendRep(onnx.backend.base.BackendRep):
    """A model that is ready to run."""

    def __init__(self, model: Any) -> None:
        self.evaluator = Evaluator(model)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs, for inputs by name (a dict), in the model's order, or a single one."""
        if isinstance(inputs, dict):
            feed = inputs
        else:
            if not isinstance(inputs, (list, tuple)):
                inputs = [inputs]
            feed = dict(zip(self.names(len(inputs)), inputs, strict=True))
        return tuple(self.evaluator.run(None, feed, **kwargs))

    def names(self, n: int) -> list[str]:
        """The inputs that n values are for: all, or those without a value in the model."""
        names: list[str] = list(self.evaluator.input_names)
        needed = [name for name in names if name not in self.evaluator.rt_inits_]
        if n not in (len(names), len(needed)):
            raise invalid("inputs", f"has {n} values, and the model takes {', '.join(needed)}")
        return names if n == len(names) else needed


class Backend(onnx.backend.base.Backend):
    """Models and nodes on the CPU."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether a model can be prepared here."""
        try:
            cls.prepare(model, device, **kwargs)
        except Exception:
            return False
        return True

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> BackendRep:
        """Checks a model, and makes it ready to run many times."""
        if not cls.supports_device(device):
            raise invalid("device", f"is {device!r}; this backend has the CPU")
        super().prepare(plain_model(model), device, **kwargs)
        return BackendRep(model)

    @classmethod
    def run_model(
        cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """The model's outputs."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: Any,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """The outputs of one node; `opset_version=` names the operators' version.

        A tensor that goes into the node twice is one input.
        """
        if not cls.supports_device(device):
            raise invalid("device", f"is {device!r}; this backend has the CPU")
        node = plain_node(node)
        super().run_node(node, inputs, device, outputs_info, **kwargs)
        helper = onnx.helper
        version = int(kwargs.get("opset_version", onnx.defs.onnx_opset_version()))
        named = [name for name in dict.fromkeys(node.input) if name]
        values = [helper.make_empty_tensor_value_info(name) for name in named]
        results = [helper.make_empty_tensor_value_info(name) for name in node.output]
        graph = helper.make_graph([node], "node", values, results)
        opsets = [helper.make_opsetid("", version)]
        if node.domain:
            opsets.append(helper.make_opsetid(node.domain, 1))
        # No check of the model: its inputs have no types.
        return BackendRep(helper.make_model(graph, opset_imports=opsets)).run(inputs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """True for the CPU."""
        return device.partition(":")[0] == "CPU"


is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
