package dev.pitwall.lab.kube.kubelet;

/**
 * An image's name in full, as containerd completes it: {@code nginx} is {@code docker.io/library/nginx:latest}.
 *
 * @param repository with its registry
 * @param tag        empty where a digest is given
 * @param digest     for example {@code sha256:…}; empty for none
 */
public record ImageName(String repository, String tag, String digest) {
    private static final String HUB = "docker.io";

    public static ImageName of(String text) {
        int at = text.indexOf('@');
        String digest = at < 0 ? "" : text.substring(at + 1);
        String rest = at < 0 ? text : text.substring(0, at);
        int colon = rest.lastIndexOf(':');
        boolean tagged = colon > rest.lastIndexOf('/');
        String repository = tagged ? rest.substring(0, colon) : rest;
        String tag = tagged ? rest.substring(colon + 1) : digest.isEmpty() ? "latest" : "";
        return new ImageName(complete(repository), tag, digest);
    }

    private static String complete(String repository) {
        int slash = repository.indexOf('/');
        String first = slash < 0 ? "" : repository.substring(0, slash);
        boolean registry = first.contains(".") || first.contains(":") || first.equals("localhost");
        if (registry) {
            return repository;
        }
        return HUB + "/" + (slash < 0 ? "library/" : "") + repository;
    }

    boolean isOnHub() {
        return registry().equals(HUB);
    }

    /** Its host, with the port if it has one. */
    String registry() {
        return repository.substring(0, repository.indexOf('/'));
    }

    /** Without the registry. */
    String path() {
        return repository.substring(repository.indexOf('/') + 1);
    }

    /** In full. */
    String reference() {
        return repository + (tag.isEmpty() ? "" : ":" + tag) + (digest.isEmpty() ? "" : "@" + digest);
    }

    /** Without its digest. */
    String tagged() {
        return repository + ":" + tag;
    }

    /** As the kubelet shows it once it runs. */
    String id() {
        return repository + "@" + (digest.isEmpty() ? "sha256:" + Digests.hex(reference()) : digest);
    }
}
