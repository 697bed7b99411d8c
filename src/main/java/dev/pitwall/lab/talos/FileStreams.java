package dev.pitwall.lab.talos;

import com.google.protobuf.Message;
import dev.pitwall.lab.world.World;
import dev.talos.api.common.Data;
import dev.talos.api.common.Metadata;
import dev.talos.api.machine.CopyRequest;
import dev.talos.api.machine.FileInfo;
import dev.talos.api.machine.ListRequest;
import dev.talos.api.machine.ReadRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** Files of a node over the machine API: read one, list, or take many along as a tar.gz. */
final class FileStreams {
    private static final int REGULAR = 0100444;
    private static final int DIRECTORY = 040755;

    private final World world;
    private final ModuleLoader modules;
    private final Path kubeconfig;

    /** @param kubeconfig the lab's file for its cluster */
    FileStreams(World world, ModuleLoader modules, Path kubeconfig) {
        this.world = world;
        this.modules = modules;
        this.kubeconfig = kubeconfig;
    }

    void read(ReadRequest request, StreamObserver<Data> out) {
        stream(out, (name, metadata) -> {
            SortedMap<String, byte[]> files = files(name);
            byte[] content = files.get(request.getPath());
            if (content == null) {
                throw isFolder(files, request.getPath()) ? Sending.plain("path must be a regular file")
                        : missing("stat", request.getPath());
            }
            Sending.bytes(out, metadata, content);
        });
    }

    void copy(CopyRequest request, StreamObserver<Data> out) {
        stream(out, (name, metadata) -> {
            String root = request.getRootPath();
            SortedMap<String, byte[]> found = new TreeMap<>();
            files(name).forEach((path, content) -> {
                if (path.equals(root)) {
                    found.put(path.substring(path.lastIndexOf('/') + 1), content);
                } else if (path.startsWith(folder(root))) {
                    found.put(path.substring(folder(root).length()), content);
                }
            });
            if (found.isEmpty()) {
                throw missing("lstat", root);
            }
            Sending.bytes(out, metadata, archive(found));
        });
    }

    void kubeconfig(StreamObserver<Data> out) {
        stream(out, (name, metadata) -> {
            if (!world.read(w -> w.nodes.get(name).role.equals("master"))) {
                throw Status.FAILED_PRECONDITION.withDescription("k8s API server CA config is not set")
                        .asRuntimeException();
            }
            try {
                SortedMap<String, byte[]> file = new TreeMap<>();
                file.put("kubeconfig", Files.readAllBytes(kubeconfig));
                Sending.bytes(out, metadata, archive(file));
            } catch (IOException e) {
                throw Sending.plain("the lab's kubeconfig cannot be read");
            }
        });
    }

    void list(ListRequest request, StreamObserver<FileInfo> out) {
        String root = request.getRoot().isEmpty() ? "/" : request.getRoot();
        int deep = !request.getRecurse() ? 1 : request.getRecursionDepth() <= 0 ? Integer.MAX_VALUE
                : request.getRecursionDepth();
        stream(out, (name, metadata) -> {
            SortedMap<String, byte[]> files = files(name);
            if (!files.containsKey(root) && !isFolder(files, root)) {
                throw missing("lstat", root);
            }
            SortedMap<String, FileInfo> entries = new TreeMap<>();
            files.forEach((path, content) -> add(entries, root, path, content.length, deep));
            entries.values().forEach(entry -> out.onNext(metadata.getHostname().isEmpty() ? entry
                    : entry.toBuilder().setMetadata(metadata).build()));
        });
    }

    private static void add(SortedMap<String, FileInfo> entries, String root, String path, long size, int deep) {
        if (path.equals(root)) {
            entries.put(path, FileInfo.newBuilder().setName(path).setRelativeName(path.substring(path.lastIndexOf('/') + 1))
                    .setSize(size).setMode(REGULAR).build());
            return;
        }
        if (!path.startsWith(folder(root))) {
            return;
        }
        entries.putIfAbsent(root, FileInfo.newBuilder().setName(root).setRelativeName(".").setIsDir(true)
                .setMode(DIRECTORY).build());
        String[] parts = path.substring(folder(root).length()).split("/");
        StringBuilder below = new StringBuilder();
        for (int i = 0; i < parts.length && i < deep; i++) {
            below.append(i == 0 ? "" : "/").append(parts[i]);
            boolean file = i == parts.length - 1;
            entries.putIfAbsent(folder(root) + below, FileInfo.newBuilder().setName(folder(root) + below)
                    .setRelativeName(below.toString()).setIsDir(!file).setSize(file ? size : 0)
                    .setMode(file ? REGULAR : DIRECTORY).build());
        }
    }

    private interface ForNode {
        void send(String name, Metadata metadata);
    }

    private static <A extends Message> void stream(StreamObserver<A> out, ForNode node) {
        TalosDoor.Targets targets = TalosDoor.TARGETS.get();
        try {
            targets.names().forEach(name -> node.send(name, Sending.metadata(targets, name)));
            out.onCompleted();
        } catch (StatusRuntimeException e) {
            out.onError(e);
        }
    }

    private SortedMap<String, byte[]> files(String name) {
        return world.read(w -> NodeFiles.of(w.nodes.get(name), w.nodes.get(name).talos.orElseThrow(), modules));
    }

    private static boolean isFolder(SortedMap<String, byte[]> files, String path) {
        return files.keySet().stream().anyMatch(file -> file.startsWith(folder(path)));
    }

    private static String folder(String path) {
        return path.endsWith("/") ? path : path + "/";
    }

    private static StatusRuntimeException missing(String call, String path) {
        return Status.NOT_FOUND.withDescription(call + " " + path + ": no such file or directory").asRuntimeException();
    }

    private static byte[] archive(SortedMap<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (var file : files.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
                entry.setSize(file.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an archive in memory cannot fail", e);
        }
        return bytes.toByteArray();
    }
}
