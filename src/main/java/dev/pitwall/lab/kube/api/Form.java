package dev.pitwall.lab.kube.api;

import java.util.List;
import java.util.Locale;

/** The form in which a client wants objects, from its {@code Accept} header. */
record Form(Kind kind, Include include) {

    enum Kind { OBJECT, TABLE, METADATA }

    /** What a table row carries of its object. */
    enum Include { NONE, METADATA, OBJECT }

    static final Form PLAIN = new Form(Kind.OBJECT, Include.METADATA);

    /**
     * The first form that is served here. Protobuf is not: a client that asks for it alone gets JSON, which every
     * client reads by the answer's content type.
     *
     * @param accept        may be empty
     * @param includeObject the query parameter, may be empty
     */
    static Form of(String accept, String includeObject) {
        Include include = switch (includeObject) {
            case "None" -> Include.NONE;
            case "Object" -> Include.OBJECT;
            default -> Include.METADATA;
        };
        for (String range : accept.split(",")) {
            List<String> parts = List.of(range.replace(" ", "").split(";"));
            if (parts.stream().anyMatch(part -> part.toLowerCase(Locale.ROOT).contains("protobuf"))) {
                continue;
            }
            if (parts.contains("as=Table") && parts.contains("v=v1")) {
                return new Form(Kind.TABLE, include);
            }
            if (parts.contains("as=PartialObjectMetadataList") || parts.contains("as=PartialObjectMetadata")) {
                return new Form(Kind.METADATA, include);
            }
            if (parts.stream().noneMatch(part -> part.startsWith("as="))) {
                return PLAIN;
            }
        }
        return PLAIN;
    }
}
