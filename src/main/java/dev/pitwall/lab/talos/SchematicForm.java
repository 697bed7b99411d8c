package dev.pitwall.lab.talos;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What may stand in a schematic, in the order of the factory's own type; what is empty is left out
 * (image-factory: pkg/schematic/schematic.go). A field that is not there is refused with go-yaml's words.
 */
final class SchematicForm {
    private sealed interface Kind {
        record Scalar(String go) implements Kind {
        }

        record Struct(Shape shape) implements Kind {
        }

        record ListOf(Kind entry) implements Kind {
        }

        record Anything() implements Kind {
        }
    }

    private enum Empty { LEFT_OUT, KEPT }

    private record Field(String name, Kind kind, Empty empty) {
    }

    private record Shape(String go, List<Field> fields) {
    }

    private static final Kind TEXT = new Kind.Scalar("string");
    private static final Shape EXTENSIONS = shape("SystemExtensions", field("officialExtensions", new Kind.ListOf(TEXT)));
    private static final Shape META = shape("MetaValue", kept("key", new Kind.Scalar("uint8")), kept("value", TEXT));
    private static final Shape SECURE_BOOT = shape("SecureBootCustomization", field("enrollKeys", TEXT),
            field("includeWellKnownCertificates", new Kind.Scalar("bool")));
    private static final Shape DISK = shape("DiskImageCustomization", field("sectorSize", new Kind.Scalar("uint")));
    private static final Shape CUSTOMIZATION = shape("Customization", field("embeddedMachineConfiguration", TEXT),
            field("extraKernelArgs", new Kind.ListOf(TEXT)),
            field("meta", new Kind.ListOf(new Kind.Struct(META))),
            field("systemExtensions", new Kind.Struct(EXTENSIONS)), field("bootloader", TEXT),
            field("secureboot", new Kind.Struct(SECURE_BOOT)), field("diskImage", new Kind.Struct(DISK)));
    private static final Shape OVERLAY = shape("Overlay", kept("image", TEXT), kept("name", TEXT),
            field("options", new Kind.Anything()));
    private static final Shape SCHEMATIC = shape("Schematic", field("owner", TEXT),
            field("overlay", new Kind.Struct(OVERLAY)), kept("customization", new Kind.Struct(CUSTOMIZATION)));

    private final List<String> errors = new ArrayList<>();

    private SchematicForm() {
    }

    /** @throws FactoryRefusal 400 with go-yaml's text */
    static Map<String, Object> read(String text) throws FactoryRefusal {
        Node root;
        try {
            root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw FactoryRefusal.invalid("yaml: line " + line + ": " + e.getProblem());
        } catch (YAMLException e) {
            throw FactoryRefusal.invalid("yaml: " + e.getMessage());
        }
        if (root == null) {
            throw FactoryRefusal.invalid("EOF");
        }
        SchematicForm form = new SchematicForm();
        Map<String, Object> content = form.struct(root, SCHEMATIC);
        if (!form.errors.isEmpty()) {
            throw FactoryRefusal.invalid("yaml: unmarshal errors:\n  " + String.join("\n  ", form.errors));
        }
        return content;
    }

    private Map<String, Object> struct(Node node, Shape shape) {
        Map<String, Object> given = new LinkedHashMap<>();
        switch (node) {
            case MappingNode map -> map.getValue().forEach(tuple -> given(tuple, shape, given));
            case ScalarNode empty when isNull(empty) -> { }
            default -> mismatch(node, "schematic." + shape.go());
        }
        Map<String, Object> ordered = new LinkedHashMap<>();
        for (Field field : shape.fields()) {
            Object value = given.getOrDefault(field.name(), nothing(field.kind()));
            if (field.empty() == Empty.KEPT || !isEmpty(value)) {
                ordered.put(field.name(), value);
            }
        }
        // Of a struct whose every field is empty nothing is written, also of those that are kept elsewhere.
        return ordered.values().stream().allMatch(SchematicForm::isEmpty) && shape != SCHEMATIC ? Map.of() : ordered;
    }

    private void given(NodeTuple tuple, Shape shape, Map<String, Object> into) {
        String name = switch (tuple.getKeyNode()) {
            case ScalarNode key -> key.getValue();
            default -> "";
        };
        shape.fields().stream().filter(field -> field.name().equals(name)).findFirst().ifPresentOrElse(
                field -> into.put(name, value(tuple.getValueNode(), field.kind())),
                () -> errors.add("line " + line(tuple.getKeyNode()) + ": field " + name + " not found in type schematic."
                        + shape.go()));
    }

    private Object value(Node node, Kind kind) {
        return switch (kind) {
            case Kind.Struct struct -> struct(node, struct.shape());
            case Kind.Anything any -> anything(node);
            case Kind.Scalar scalar -> scalar(node, scalar);
            case Kind.ListOf list -> switch (node) {
                case SequenceNode sequence -> sequence.getValue().stream().map(n -> value(n, list.entry())).toList();
                case ScalarNode empty when isNull(empty) -> List.of();
                default -> {
                    mismatch(node, "[]string");
                    yield List.of();
                }
            };
        };
    }

    private Object scalar(Node node, Kind.Scalar kind) {
        String text = switch (node) {
            case ScalarNode scalar -> isNull(scalar) ? "" : scalar.getValue();
            default -> {
                mismatch(node, kind.go());
                yield "";
            }
        };
        try {
            return switch (kind.go()) {
                case "string" -> text;
                case "bool" -> text.equals("true");
                default -> text.isEmpty() ? 0L : Long.decode(text);
            };
        } catch (NumberFormatException e) {
            mismatch(node, kind.go());
            return 0L;
        }
    }

    private static Object anything(Node node) {
        return switch (node) {
            case MappingNode map -> {
                Map<String, Object> values = new TreeMap<>();
                map.getValue().forEach(t -> values.put(String.valueOf(anything(t.getKeyNode())),
                        anything(t.getValueNode())));
                yield values;
            }
            case SequenceNode list -> list.getValue().stream().map(SchematicForm::anything).toList();
            case ScalarNode scalar -> switch (scalar.getTag().getValue()) {
                case "tag:yaml.org,2002:int" -> Long.decode(scalar.getValue());
                case "tag:yaml.org,2002:bool" -> Boolean.valueOf(scalar.getValue());
                default -> scalar.getValue();
            };
            default -> "";
        };
    }

    private void mismatch(Node node, String go) {
        String tag = node.getTag().getValue();
        String of = switch (node) {
            case ScalarNode scalar -> " `" + scalar.getValue() + "`";
            default -> "";
        };
        errors.add("line " + line(node) + ": cannot unmarshal !!" + tag.substring(tag.lastIndexOf(':') + 1) + of
                + " into " + go);
    }

    private static Object nothing(Kind kind) {
        return switch (kind) {
            case Kind.Struct struct -> Map.of();
            case Kind.Anything any -> Map.of();
            case Kind.ListOf list -> List.of();
            case Kind.Scalar scalar -> switch (scalar.go()) {
                case "string" -> "";
                case "bool" -> false;
                default -> 0L;
            };
        };
    }

    private static boolean isEmpty(Object value) {
        return switch (value) {
            case Map<?, ?> map -> map.isEmpty();
            case List<?> list -> list.isEmpty();
            case String text -> text.isEmpty();
            case Boolean flag -> !flag;
            case Long number -> number == 0;
            default -> false;
        };
    }

    private static boolean isNull(ScalarNode node) {
        return node.getTag().getValue().endsWith(":null");
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private static Shape shape(String go, Field... fields) {
        return new Shape(go, List.of(fields));
    }

    private static Field field(String name, Kind kind) {
        return new Field(name, kind, Empty.LEFT_OUT);
    }

    private static Field kept(String name, Kind kind) {
        return new Field(name, kind, Empty.KEPT);
    }
}
