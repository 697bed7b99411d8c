package dev.pitwall.lab.kube.operator.program;

/** A container image's name, {@code nvcr.io/nvidia/driver:570.133.20-ubuntu24.04}. */
record ImageName(String text) {

    private int colon() {
        int at = text.lastIndexOf(':');
        return at > text.lastIndexOf('/') ? at : -1;
    }

    /** {@code latest} if none is given. */
    String tag() {
        return colon() < 0 ? "latest" : text.substring(colon() + 1);
    }

    String repository() {
        return colon() < 0 ? text : text.substring(0, colon());
    }
}
