package dev.pitwall.read;

import dev.pitwall.card.NodeReport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One node of {@code kubectl describe node} while its lines are still being read. */
final class NodeDraft {

    private static final Pattern HEAD = Pattern.compile("([A-Z][A-Za-z -]{1,40}):(.*)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z0-9._/-]+)=([\\w.-]*)");
    private static final Pattern TAINT = Pattern.compile("([^=:\\s]+)(?:=([^:\\s]*))?:(NoSchedule|PreferNoSchedule|NoExecute)");
    private static final Pattern PAIR = Pattern.compile("([^\\s:]+):\\s+(\\S+)");
    private static final Pattern INFO = Pattern.compile("([A-Z][A-Za-z -]+?):\\s+(\\S.*)");
    private static final Pattern COLUMNS = Pattern.compile("\\s{2,}");

    private String section = "Labels";
    private Optional<String> name = Optional.empty();
    private Optional<Map<String, String>> labels = Optional.empty();
    private Optional<List<NodeReport.Taint>> taints = Optional.empty();
    private Optional<Map<String, String>> capacity = Optional.empty();
    private Optional<Map<String, String>> allocatable = Optional.empty();
    private Optional<List<NodeReport.Condition>> conditions = Optional.empty();
    private Optional<Boolean> unschedulable = Optional.empty();
    private final Map<String, String> info = new HashMap<>();
    private Optional<Map<String, String>> allocated = Optional.empty();
    private Optional<List<String>> pods = Optional.empty();

    void take(Text.Line line) {
        Matcher head = HEAD.matcher(line.text());
        if (head.matches()) {
            section = head.group(1);
            content(head.group(2).strip());
        } else {
            content(line.trimmed());
        }
    }

    private void content(String content) {
        switch (section) {
            case "Name" -> name = name.or(() -> content.isEmpty() ? Optional.empty() : Optional.of(content));
            case "Labels" -> label(content);
            case "Taints" -> taint(content);
            case "Unschedulable" -> unschedulable = content.equals("true") ? Optional.of(true)
                    : content.equals("false") ? Optional.of(false) : unschedulable;
            case "Capacity" -> capacity = amount(capacity, content);
            case "Allocatable" -> allocatable = amount(allocatable, content);
            case "Conditions" -> condition(content);
            case "System Info", "Addresses" -> {
                Matcher m = INFO.matcher(content);
                if (m.matches()) {
                    info.put(m.group(1), m.group(2).strip());
                }
            }
            case "Allocated resources" -> allocated(content);
            case "Non-terminated Pods" -> pod(content);
            default -> { }
        }
    }

    private void label(String content) {
        if (content.equals("<none>")) {
            labels = Optional.of(new LinkedHashMap<>());
            return;
        }
        Matcher m = LABEL.matcher(content);
        if (m.matches()) {
            labels = labels.or(() -> Optional.of(new LinkedHashMap<>()));
            labels.get().put(m.group(1), m.group(2));
        }
    }

    private void taint(String content) {
        if (taints.isEmpty()) {
            taints = Optional.of(new ArrayList<>());
        }
        Matcher m = TAINT.matcher(content);
        if (m.matches()) {
            taints.get().add(new NodeReport.Taint(m.group(1), Optional.ofNullable(m.group(2)).filter(v -> !v.isEmpty()), m.group(3)));
        }
    }

    private static Optional<Map<String, String>> amount(Optional<Map<String, String>> amounts, String content) {
        Map<String, String> map = amounts.orElseGet(LinkedHashMap::new);
        Matcher m = PAIR.matcher(content);
        if (m.matches()) {
            map.put(m.group(1), m.group(2));
        }
        return Optional.of(map);
    }

    /** Type, Status, LastHeartbeatTime, LastTransitionTime, Reason, Message, apart by two blanks or more. */
    private void condition(String content) {
        if (conditions.isEmpty()) {
            conditions = Optional.of(new ArrayList<>());
        }
        String[] columns = COLUMNS.split(content);
        if (columns.length >= 2 && columns[1].matches("True|False|Unknown")) {
            conditions.get().add(new NodeReport.Condition(columns[0], columns[1],
                    columns.length > 4 ? Optional.of(columns[4]) : Optional.empty(),
                    columns.length > 5 ? Optional.of(columns[5]) : Optional.empty()));
        }
    }

    private void allocated(String content) {
        String[] columns = COLUMNS.split(content);
        if (columns.length >= 2 && columns[1].matches("\\d.*")) {
            allocated = allocated.or(() -> Optional.of(new LinkedHashMap<>()));
            allocated.get().put(columns[0], columns[1].split(" ")[0]);
        }
    }

    private void pod(String content) {
        if (pods.isEmpty()) {
            pods = Optional.of(new ArrayList<>());
        }
        String[] columns = content.split("\\s+");
        boolean row = columns.length >= 2 && columns[0].matches("[a-z0-9][a-z0-9-]*") && columns[1].matches("[a-z0-9][a-z0-9.-]*");
        if (row) {
            pods.get().add(columns[0] + "/" + columns[1]);
        }
    }

    NodeFacts build() {
        return new NodeFacts(name, labels, taints.map(List::copyOf), capacity, allocatable, conditions.map(List::copyOf),
                unschedulable, new NodeFacts.Info(info("System UUID").map(Text::lower), info("Kernel Version"),
                info("OS Image"), info("Container Runtime Version"), info("Kubelet Version"), info("InternalIP")),
                allocated, pods.map(List::copyOf));
    }

    private Optional<String> info(String key) {
        return Optional.ofNullable(info.get(key));
    }
}
