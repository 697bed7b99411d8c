package dev.pitwall.lab.kube.apply;

import java.util.List;

/** An applied configuration wants fields that others own. The message is Kubernetes' own. */
public final class ApplyConflict extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<Cause> causes;

    /** @param field for example {@code .spec.replicas} */
    public record Cause(String manager, String field) {
        /** As the status' causes say it. */
        public String message() {
            return "conflict with " + manager;
        }
    }

    ApplyConflict(List<Cause> causes) {
        super(message(causes), null, false, false);
        this.causes = List.copyOf(causes);
    }

    private static String message(List<Cause> causes) {
        if (causes.size() == 1) {
            return "Apply failed with 1 conflict: conflict with " + causes.getFirst().manager() + ": "
                    + causes.getFirst().field();
        }
        StringBuilder text = new StringBuilder("Apply failed with " + causes.size() + " conflicts: ");
        String last = "";
        for (Cause cause : causes) {
            if (!cause.manager().equals(last)) {
                text.append(last.isEmpty() ? "" : "\n").append("conflicts with ").append(cause.manager()).append(':');
                last = cause.manager();
            }
            text.append("\n- ").append(cause.field());
        }
        return text.toString();
    }

    public List<Cause> causes() {
        return causes;
    }
}
