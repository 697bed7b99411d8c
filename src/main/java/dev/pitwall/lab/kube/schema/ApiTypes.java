package dev.pitwall.lab.kube.schema;

import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.kube.schema.Schema.ListKind;
import dev.pitwall.lab.kube.schema.Schema.Lists;
import dev.pitwall.lab.kube.schema.Schema.Shape;
import dev.pitwall.lab.kube.schema.Schema.Strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The built-in types of Kubernetes, read from {@code lab/kube/types.txt}. Safe for any number of threads. */
public final class ApiTypes {
    private static final Set<String> SCALARS = Set.of("string", "bool", "int32", "int64", "double", "bytes", "byte",
            "quantity", "time", "microtime", "duration", "intstr");

    private final Map<String, Message> messages;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    /**
     * @param number  of the field in protobuf
     * @param type    a scalar, {@code raw}, {@code any}, {@code strings} or a message's name; with {@code []} or {@code {}} before it
     *                for a list or map
     * @param pointer a zero is a value of its own and not the same as nothing
     * @param flags   the other marks of the line
     */
    record Field(String name, int number, String type, boolean required, boolean pointer, Set<String> flags) {
        boolean inlined() {
            return name.equals("~");
        }

        Optional<String> flag(String prefix) {
            return flags.stream().filter(flag -> flag.startsWith(prefix)).map(flag -> flag.substring(prefix.length()))
                    .findFirst();
        }
    }

    /** @param kind an object of its own, with {@code apiVersion} and {@code kind} */
    record Message(String name, boolean kind, boolean atomic, List<Field> fields) {
    }

    private ApiTypes(Map<String, Message> messages) {
        this.messages = messages;
    }

    public static ApiTypes load() {
        Map<String, Message> messages = new LinkedHashMap<>();
        Message open = null;
        for (String line : DataFile.text("kube/types.txt").lines().toList()) {
            List<String> words = Arrays.asList(line.strip().split(" "));
            if (line.startsWith(" ")) {
                open.fields().add(field(words, open.name()));
            } else {
                open = new Message(words.getFirst(), words.contains("kind"), words.contains("atomic"),
                        new ArrayList<>());
                messages.put(open.name(), open);
            }
        }
        return new ApiTypes(messages);
    }

    private static Field field(List<String> words, String owner) {
        Set<String> flags = Set.copyOf(words.subList(3, words.size()));
        String type = words.get(2);
        String head = type.replaceAll("[^\\[\\]{}].*", "");
        String base = type.substring(head.length());
        String full = base.startsWith(".") ? owner.substring(0, owner.indexOf('.')) + base : base;
        return new Field(words.get(0), Integer.parseInt(words.get(1)), head + full, flags.contains("!"),
                flags.contains("*"), flags);
    }

    /** Name of the type behind a group, version and kind, for example {@code apps/v1.Deployment}. */
    public static String name(String group, String version, String kind) {
        return (group.isEmpty() ? "core" : group.split("\\.")[0]) + "/" + version + "." + kind;
    }

    Optional<Message> message(String name) {
        return Optional.ofNullable(messages.get(name));
    }

    /** @return empty if the table does not have it */
    public Optional<Schema> schema(String group, String version, String kind) {
        return schema(name(group, version, kind));
    }

    public Optional<Schema> schema(String name) {
        return messages.containsKey(name) ? Optional.of(known(name)) : Optional.empty();
    }

    private Schema known(String name) {
        Schema found = schemas.get(name);
        if (found != null) {
            return found;
        }
        Message message = messages.get(name);
        Lazy<Map<String, Schema>> fields = new Lazy<>(() -> fields(message));
        Schema made = Schema.of(Shape.OBJECT, "", fields, () -> Schema.ANY).asAtomic(message.atomic()).named(name);
        schemas.put(name, made);
        return made;
    }

    private Map<String, Schema> fields(Message message) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        if (message.kind()) {
            fields.put("apiVersion", Schema.scalar("string"));
            fields.put("kind", Schema.scalar("string"));
        }
        for (Field field : message.fields()) {
            if (field.inlined()) {
                fields.putAll(known(field.type()).fields().get());
            } else {
                fields.put(field.name(), schema(field));
            }
        }
        return fields;
    }

    private Schema schema(Field field) {
        Schema plain = type(field.type());
        Optional<String> merge = field.flag("merge=");
        Lists lists = field.flags().contains("set") ? new Lists(ListKind.SET, List.of())
                : field.flag("map=").map(keys -> new Lists(ListKind.MAP, List.of(keys.split(","))))
                .orElse(Lists.ATOMIC);
        boolean atomic = field.flags().contains("atomic") || plain.atomic() && !field.flags().contains("granular");
        return plain.with(lists).asAtomic(atomic).asRequired(field.required())
                .with(new Strategy(merge.isPresent(), merge.orElse(""), field.flags().contains("retain")));
    }

    private Schema type(String type) {
        if (type.startsWith("[]")) {
            return Schema.of(Shape.LIST, "", Map::of, new Lazy<>(() -> type(type.substring(2))));
        }
        if (type.startsWith("{}")) {
            return Schema.of(Shape.MAP, "", Map::of, new Lazy<>(() -> type(type.substring(2))));
        }
        if (type.equals("strings")) {
            return Schema.of(Shape.LIST, "", Map::of, () -> Schema.scalar("string"));
        }
        return SCALARS.contains(type) ? Schema.scalar(type) : messages.containsKey(type) ? known(type) : Schema.ANY;
    }
}
