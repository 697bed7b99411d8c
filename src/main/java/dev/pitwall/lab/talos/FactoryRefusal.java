package dev.pitwall.lab.talos;

/** The factory says no: a status and the text it sends. */
final class FactoryRefusal extends Exception {
    private final int status;

    private FactoryRefusal(int status, String text) {
        super(text);
        this.status = status;
    }

    static FactoryRefusal invalid(String text) {
        return new FactoryRefusal(400, text);
    }

    static FactoryRefusal notFound(String text) {
        return new FactoryRefusal(404, text);
    }

    /** What needs the Enterprise edition (facts: cluster.md 4.4). */
    static FactoryRefusal enterprise(String text) {
        return new FactoryRefusal(402, text);
    }

    static FactoryRefusal notBuilt(String text) {
        return new FactoryRefusal(501, text);
    }

    int status() {
        return status;
    }
}
