package dev.pitwall.lab.kube.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.pitwall.lab.kube.store.Json;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1Authorization;

import java.util.Arrays;

/**
 * Reads self reviews that come as protobuf. {@code kubectl auth} sends nothing else, and takes JSON for an answer, so
 * this is the one place where the server reads protobuf.
 */
final class ProtobufReviews {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private ProtobufReviews() {
    }

    /** @throws ApiFailure 400 if it is no protobuf of that kind */
    static ObjectNode read(byte[] body, String kind) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw ApiFailure.badRequest("provided data does not appear to be a protobuf message");
        }
        try {
            ByteString raw = Unknown.parseFrom(ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length))
                    .getRaw();
            ObjectNode review = Json.object();
            switch (kind) {
                case "SelfSubjectAccessReview" -> access(
                        V1Authorization.SelfSubjectAccessReview.parseFrom(raw).getSpec(), review.putObject("spec"));
                case "SelfSubjectRulesReview" -> review.putObject("spec").put("namespace",
                        V1Authorization.SelfSubjectRulesReview.parseFrom(raw).getSpec().getNamespace());
                default -> { }
            }
            return review;
        } catch (InvalidProtocolBufferException e) {
            throw ApiFailure.badRequest("the protobuf message is malformed");
        }
    }

    private static void access(V1Authorization.SelfSubjectAccessReviewSpec from, ObjectNode spec) {
        if (from.hasNonResourceAttributes()) {
            spec.putObject("nonResourceAttributes").put("path", from.getNonResourceAttributes().getPath())
                    .put("verb", from.getNonResourceAttributes().getVerb());
            return;
        }
        var asked = from.getResourceAttributes();
        spec.putObject("resourceAttributes").put("namespace", asked.getNamespace()).put("verb", asked.getVerb())
                .put("group", asked.getGroup()).put("version", asked.getVersion())
                .put("resource", asked.getResource()).put("subresource", asked.getSubresource())
                .put("name", asked.getName());
    }
}
