package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabTask;
import dev.pitwall.lab.world.World;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Tasks: which there are, how they are, what they say, and their end. [facts: proxmox.md 1.11; pve-manager Tasks.pm] */
final class TaskCalls {
    private static final int USUAL_LIMIT = 50;
    private static final Pattern UPID = Pattern.compile(
            "UPID:[a-zA-Z0-9-]+:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\\s]+:[^:\\s]*:[^:\\s]+:");

    private final World world;
    private final Tasks tasks;
    private final Rights rights;

    TaskCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.tasks = datacenter.tasks();
        this.rights = datacenter.rights();
    }

    void addTo(RouteTable routes) {
        routes.add("GET /nodes/{node}/tasks", this::list);
        routes.add("GET /nodes/{node}/tasks/{upid}", call -> List.of(Map.of("name", "log"), Map.of("name", "status")));
        routes.add("DELETE /nodes/{node}/tasks/{upid}", this::stop);
        routes.add("GET /nodes/{node}/tasks/{upid}/log", this::log);
        routes.add("GET /nodes/{node}/tasks/{upid}/status", this::status);
        routes.add("GET /cluster/tasks", this::recent);
    }

    /** Finished ones unless asked for others, newest first. */
    private Object list(ApiCall call) {
        String source = call.text("source").orElse("archive");
        return world.read(w -> {
            List<LabTask> found = w.tasks.values().stream().filter(task -> task.node.equals(call.node()))
                    .filter(task -> maySee(call, task))
                    .filter(task -> source.equals("all") || task.endedAt.isPresent() == source.equals("archive"))
                    .filter(task -> fits(call, task)).sorted(newestFirst()).toList();
            int limit = call.number("limit", USUAL_LIMIT);
            List<Map<String, Object>> page = found.stream().skip(call.number("start", 0)).limit(limit)
                    .map(task -> entry(task, "RUNNING")).toList();
            return new Reply(page, Map.of("total", found.size()));
        });
    }

    private static boolean fits(ApiCall call, LabTask task) {
        long started = task.startedAt.getEpochSecond();
        return call.text("userfilter").filter(part -> !task.user.toLowerCase().contains(part.toLowerCase())).isEmpty()
                && call.text("typefilter").filter(type -> !task.type.equals(type)).isEmpty()
                && call.text("vmid").filter(vmid -> !task.about.equals(vmid)).isEmpty()
                && call.text("since").filter(since -> started < Long.parseLong(since)).isEmpty()
                && call.text("until").filter(until -> started > Long.parseLong(until)).isEmpty()
                && (!call.flag("errors", false) || isError(task));
    }

    private static boolean isError(LabTask task) {
        return task.endedAt.isPresent() && !task.exitStatus.equals("OK") && !task.exitStatus.startsWith("WARNINGS");
    }

    private Object recent(ApiCall call) {
        return world.read(w -> w.tasks.values().stream().filter(task -> maySee(call, task)).sorted(newestFirst())
                .limit(USUAL_LIMIT).map(task -> entry(task, "")).toList());
    }

    private Object status(ApiCall call) throws PveError {
        LabTask task = need(call, "Sys.Audit");
        return world.read(w -> {
            Map<String, Object> data = facts(task);
            data.put("status", task.endedAt.isPresent() ? "stopped" : "running");
            if (task.endedAt.isPresent()) {
                data.put("exitstatus", task.exitStatus);
            }
            return data;
        });
    }

    private Object log(ApiCall call) throws PveError {
        LabTask task = need(call, "Sys.Audit");
        List<String> lines = world.read(w -> List.copyOf(task.log));
        int start = call.number("start", 0);
        int limit = call.number("limit", USUAL_LIMIT);
        int end = limit == 0 ? lines.size() : Math.min(lines.size(), start + limit);
        List<Map<String, Object>> page = new ArrayList<>(IntStream.range(Math.min(start, end), end)
                .mapToObj(i -> Map.<String, Object>of("n", i + 1, "t", lines.get(i))).toList());
        if (lines.isEmpty()) {
            page.add(Map.of("n", 1, "t", "no content"));
        }
        return new Reply(page, Map.of("total", Math.max(1, lines.size())));
    }

    private Object stop(ApiCall call) throws PveError {
        tasks.stop(need(call, "Sys.Modify").upid);
        return null;
    }

    private LabTask need(ApiCall call, String privilege) throws PveError {
        String upid = call.need("upid");
        if (!UPID.matcher(upid).matches()) {
            throw PveError.parameter("upid", "unable to parse worker upid");
        }
        LabTask task = tasks.find(upid).filter(found -> found.node.equals(call.node()))
                .orElseThrow(() -> PveError.parameter("upid", "no such task"));
        if (!owns(call, task)) {
            rights.need(call.login(), "/nodes/" + call.node(), privilege);
        }
        return task;
    }

    private boolean maySee(ApiCall call, LabTask task) {
        return owns(call, task) || rights.at(call.login(), "/nodes/" + task.node).contains("Sys.Audit");
    }

    /** A user owns what their tokens started. */
    private static boolean owns(ApiCall call, LabTask task) {
        return task.user.equals(call.login().id()) || task.user.startsWith(call.login().id() + "!");
    }

    private static Comparator<LabTask> newestFirst() {
        return Comparator.comparing((LabTask task) -> task.startedAt).thenComparing(task -> task.pid).reversed();
    }

    private static Map<String, Object> entry(LabTask task, String whileRunning) {
        Map<String, Object> data = facts(task);
        task.endedAt.ifPresent(end -> data.put("endtime", end.getEpochSecond()));
        Optional.of(task.endedAt.isPresent() ? task.exitStatus : whileRunning).filter(status -> !status.isEmpty())
                .ifPresent(status -> data.put("status", status));
        return data;
    }

    private static Map<String, Object> facts(LabTask task) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("upid", task.upid);
        data.put("node", task.node);
        data.put("pid", task.pid);
        data.put("pstart", task.processStart);
        data.put("starttime", task.startedAt.getEpochSecond());
        data.put("type", task.type);
        data.put("id", task.about);
        int token = task.user.indexOf('!');
        data.put("user", token < 0 ? task.user : task.user.substring(0, token));
        if (token >= 0) {
            data.put("tokenid", task.user.substring(token + 1));
        }
        return data;
    }
}
