package dev.pitwall.lab.talos;

import com.google.protobuf.ByteString;
import dev.talos.api.common.Data;
import dev.talos.api.common.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Answers of the machine API for one node or for several; of several each bears its node's name. */
final class Sending {
    private static final int CHUNK = 4096;

    private Sending() {
    }

    /** Go's plain errors come as {@code Unknown}. */
    static StatusRuntimeException plain(String text) {
        return Status.UNKNOWN.withDescription(text).asRuntimeException();
    }

    /** @param answer of a node's name, and the metadata that goes with it */
    static <A> List<A> each(BiFunction<String, Metadata, A> answer) {
        TalosDoor.Targets targets = TalosDoor.TARGETS.get();
        List<A> answers = new ArrayList<>();
        for (String name : targets.names()) {
            answers.add(answer.apply(name, metadata(targets, name)));
        }
        return answers;
    }

    static Metadata metadata(TalosDoor.Targets targets, String name) {
        return targets.several() ? Metadata.newBuilder().setHostname(name).build() : Metadata.getDefaultInstance();
    }

    static <A> void one(StreamObserver<A> out, Supplier<A> answer) {
        try {
            A value = answer.get();
            out.onNext(value);
            out.onCompleted();
        } catch (StatusRuntimeException e) {
            out.onError(e);
        }
    }

    static void bytes(StreamObserver<Data> out, Metadata metadata, byte[] content) {
        for (int at = 0; at < content.length; at += CHUNK) {
            out.onNext(data(metadata, ByteString.copyFrom(content, at, Math.min(CHUNK, content.length - at))));
        }
    }

    static Data data(Metadata metadata, ByteString bytes) {
        Data.Builder data = Data.newBuilder().setBytes(bytes);
        return metadata.getHostname().isEmpty() ? data.build() : data.setMetadata(metadata).build();
    }
}
