package dev.pitwall.lab.kube.store;

/** A request the store does not carry out. The message is Kubernetes' own. */
public final class StoreRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Reason reason;
    private final String resource;
    private final String name;

    /** Why, in Kubernetes' words. */
    public enum Reason { NotFound, AlreadyExists, Conflict, Expired }

    StoreRefusal(Reason reason, ObjectKey key, String message) {
        super(message, null, false, false);
        this.reason = reason;
        this.resource = key.resource().plural();
        this.name = key.name();
    }

    static StoreRefusal notFound(ObjectKey key) {
        return new StoreRefusal(Reason.NotFound, key,
                key.resource().qualified() + " \"" + key.name() + "\" not found");
    }

    static StoreRefusal alreadyExists(ObjectKey key) {
        return new StoreRefusal(Reason.AlreadyExists, key,
                key.resource().qualified() + " \"" + key.name() + "\" already exists");
    }

    static StoreRefusal conflict(ObjectKey key) {
        return new StoreRefusal(Reason.Conflict, key, "Operation cannot be fulfilled on " + key.resource().qualified()
                + " \"" + key.name() + "\": the object has been modified; please apply your changes to the latest"
                + " version and try again");
    }

    static StoreRefusal expired(Resource resource, long asked, long oldest) {
        return new StoreRefusal(Reason.Expired, new ObjectKey(resource, "", ""),
                "too old resource version: " + asked + " (" + oldest + ")");
    }

    public Reason reason() {
        return reason;
    }

    /** Plural of the resource it is about. */
    public String resource() {
        return resource;
    }

    /** Name of the object it is about; empty for a whole resource. */
    public String name() {
        return name;
    }
}
