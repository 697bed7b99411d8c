package dev.pitwall.link.kube;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

/**
 * Kubeconfig files after merging: what they say, not yet whether it can be used. Names are unique, in file order.
 *
 * @param files the files that were there and were read
 */
record Kubeconfig(List<Path> files, Map<String, Cluster> clusters, Map<String, User> users,
                  Map<String, Context> contexts, Optional<String> currentContext) {

    /** Where an entry stands; relative paths in it start at this file's folder. */
    record Place(Path file, int line) {
        String text() {
            return HomePath.shorten(file) + " line " + line;
        }

        Path resolve(String path) {
            return file.toAbsolutePath().getParent().resolve(HomePath.expand(path)).normalize();
        }
    }

    /** Bytes that stand in the file (base64) or in another file. The text of it is never printed. */
    record Material(Optional<String> data, Optional<String> file) {
        boolean present() {
            return data.isPresent() || file.isPresent();
        }

        @Override
        public String toString() {
            return data.isPresent() ? "embedded" : file.orElse("none");
        }
    }

    record Cluster(String name, String server, Material authority, boolean skipVerify,
                   Optional<String> tlsServerName, Optional<String> proxyUrl, Place place) {
        /** Without the proxy's address, which may hold a password. */
        @Override
        public String toString() {
            return "Cluster[" + name + ", " + server + "]";
        }
    }

    /** @param impersonate headers, for example {@code Impersonate-User} */
    record User(String name, Material certificate, Material key, Optional<String> token, Optional<String> tokenFile,
                Optional<String> userName, Optional<String> password, Optional<Exec> exec,
                Optional<String> authProvider, List<Map.Entry<String, String>> impersonate, Place place) {

        @Override
        public String toString() {
            return "User[" + name + ", " + auth() + "]";
        }

        /** How it signs in, in the words of the connection dialog. */
        String auth() {
            if (exec.isPresent()) {
                return "exec " + Path.of(exec.get().command()).getFileName();
            }
            if (authProvider.isPresent()) {
                return "auth-provider " + authProvider.get();
            }
            if (token.isPresent()) {
                return "token";
            }
            if (tokenFile.isPresent()) {
                return "token file";
            }
            if (certificate.present()) {
                return "client certificate";
            }
            return userName.isPresent() ? "user name and password" : "none";
        }
    }

    /** A command that prints a credential ({@code client.authentication.k8s.io}). */
    record Exec(String apiVersion, String command, List<String> args, Map<String, String> env,
                Optional<String> installHint, Interactive interactive, boolean provideClusterInfo) {

        enum Interactive { NEVER, IF_AVAILABLE, ALWAYS, UNSAID }

        @Override
        public String toString() {
            return "exec " + command;
        }
    }

    record Context(String name, String cluster, String user, Optional<String> namespace, Place place) {
    }

    /** A context with what it refers to. */
    record Target(Context context, Cluster cluster, User user) {
    }

    /**
     * The entries of one context.
     *
     * @param wanted the context's name; empty means the current context
     * @throws TroubleException if the context, its cluster or its user is not in the files
     */
    Target target(Optional<String> wanted) throws TroubleException {
        String name = wanted.or(() -> currentContext).orElseThrow(() -> new TroubleException(noCurrent()));
        Context context = contexts.get(name);
        if (context == null) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, place(),
                    "there is no context named \"" + name + "\"", contexts.isEmpty()
                    ? "Choose a kubeconfig that has contexts."
                    : "Choose one of its contexts: " + String.join(", ", contexts.keySet()) + "."));
        }
        return target(context);
    }

    Target target(Context context) throws TroubleException {
        Cluster cluster = clusters.get(context.cluster());
        if (cluster == null) {
            throw missing(context, "cluster", context.cluster(), "clusters");
        }
        if (context.user().isEmpty()) {
            return new Target(context, cluster, nobody(context.place()));
        }
        User user = users.get(context.user());
        if (user == null) {
            throw missing(context, "user", context.user(), "users");
        }
        return new Target(context, cluster, user);
    }

    private static User nobody(Place place) {
        Material none = new Material(Optional.empty(), Optional.empty());
        return new User("", none, none, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), place);
    }

    private static TroubleException missing(Context context, String kind, String name, String list) {
        return new TroubleException(new Trouble(Trouble.Kind.MISSING, context.place().text(),
                "context \"" + context.name() + "\" refers to " + kind + " \"" + name + "\", which is not there",
                "Add it under \"" + list + ":\", or copy the kubeconfig again from the cluster."));
    }

    private Trouble noCurrent() {
        return contexts.isEmpty()
                ? new Trouble(Trouble.Kind.MISSING, place(), "it has no context",
                        "Copy the kubeconfig again from the cluster.")
                : new Trouble(Trouble.Kind.MISSING, place(), "no current-context is set",
                        "Choose one of its contexts: " + String.join(", ", contexts.keySet()) + ".");
    }

    private String place() {
        return String.join(", ", files.stream().map(HomePath::shorten).toList());
    }
}
