package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import dev.pitwall.lab.kube.store.Json;
import io.undertow.util.Headers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The OpenAPI v2 document. It names no types, since those are in the v3 documents; clients ask for it when these do not have
 * a type, and say of one that is nowhere that they know no such kind. They refuse to go on where there is no document at
 * all. client-go asks for the protobuf form only (message {@code Document} of gnostic's {@code OpenAPIv2.proto}).
 */
final class OpenApiTwo {
    /** Clients ask for {@code v2@v1.0}, which Go's parser of media types does not take in an answer. */
    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    private static final String VERSION = "2.0";
    private static final String TITLE = "Kubernetes";
    private static final String UNVERSIONED = "unversioned";
    /** Numbers of the fields in {@code OpenAPIv2.proto}: of the document, and of its {@code Info}. */
    private static final int SWAGGER = 1;
    private static final int INFO = 2;
    private static final int PATHS = 8;
    private static final int INFO_TITLE = 1;
    private static final int INFO_VERSION = 2;

    void answer(Call call) throws IOException {
        if (call.header(Headers.ACCEPT).contains("proto-openapi.spec.v2")) {
            call.answer(200, PROTOBUF, protobuf());
        } else {
            call.answer(json());
        }
    }

    private static ObjectNode json() {
        ObjectNode document = Json.object().put("swagger", VERSION);
        document.putObject("info").put("title", TITLE).put("version", UNVERSIONED);
        document.putObject("paths");
        return document;
    }

    private static byte[] protobuf() throws IOException {
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(info);
        out.writeString(INFO_TITLE, TITLE);
        out.writeString(INFO_VERSION, UNVERSIONED);
        out.flush();
        ByteArrayOutputStream document = new ByteArrayOutputStream();
        out = CodedOutputStream.newInstance(document);
        out.writeByteArray(SWAGGER, VERSION.getBytes(StandardCharsets.UTF_8));
        out.writeByteArray(INFO, info.toByteArray());
        out.writeByteArray(PATHS, new byte[0]);
        out.flush();
        return document.toByteArray();
    }
}
