package dev.pitwall.read;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads {@code kubectl describe node}: one or several nodes, or a part such as the labels or the capacity alone.
 */
public final class DescribeNodeReader {

    private static final Pattern SECTION = Pattern.compile(
            "(?:Roles|Taints|Unschedulable|System Info|PodCIDRs?|ProviderID|Non-terminated Pods|Allocated resources|Capacity|Allocatable|Lease):.*");
    private static final Pattern SHARED_SECTION = Pattern.compile("(?:Name|Labels|Annotations|Conditions|Addresses|Events|CreationTimestamp):.*");
    private static final Pattern LABEL = Pattern.compile(
            "\\s*(?:Labels:\\s+)?(?:[a-z0-9.-]*kubernetes\\.io|nvidia\\.com|beta\\.kubernetes\\.io)/[\\w.-]+=[\\w.-]*\\s*");
    private static final Pattern AMOUNT = Pattern.compile("\\s*[a-z0-9.-]*/?[\\w.-]+:\\s+\\d+(?:Ki|Mi|Gi|m)?\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        long own = text.hits(t -> SECTION.matcher(t).matches());
        double labels = text.share(t -> LABEL.matcher(t).matches());
        boolean pod = text.hits(t -> t.startsWith("Containers:") || t.startsWith("Namespace:") || t.startsWith("IP:")) > 0;
        if (pod) {
            return 0;
        }
        double known = text.share(t -> SECTION.matcher(t).matches() || SHARED_SECTION.matcher(t).matches()
                || LABEL.matcher(t).matches() || AMOUNT.matcher(t).matches() || t.startsWith("  "));
        return own > 0 ? 0.4 + 0.5 * known : labels > 0.5 ? 0.35 + 0.5 * labels : 0;
    }

    /** Reads as far as it goes; never throws. */
    public NodeListing read(Text text) {
        Notes notes = new Notes();
        List<NodeFacts> nodes = new ArrayList<>();
        NodeDraft draft = new NodeDraft();
        boolean any = false;
        for (Text.Line line : text.filled(notes::add)) {
            if (line.open()) {
                notes.openEnd(line);
                continue;
            }
            if (line.text().startsWith("Name:") && any) {
                nodes.add(draft.build());
                draft = new NodeDraft();
            }
            draft.take(line);
            any = true;
        }
        if (any) {
            nodes.add(draft.build());
        }
        return new NodeListing(Kind.DESCRIBE_NODE, nodes, notes.list());
    }
}
