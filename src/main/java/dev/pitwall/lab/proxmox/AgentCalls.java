package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.World;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The guest agent through the API: every answer is under {@code result}, but for exec's. [facts: proxmox.md 1.13] */
final class AgentCalls {
    private static final int MOST_BYTES = 16 << 20;

    private final World world;
    private final GuestAgent agent;
    private final VmPower power;

    AgentCalls(World world, Datacenter datacenter) {
        this.world = world;
        this.agent = datacenter.agent();
        this.power = datacenter.power();
    }

    void addTo(RouteTable routes) {
        String path = "/nodes/{node}/qemu/{vmid}/agent/";
        routes.add("POST " + path + "ping", this::ping);
        routes.add("GET " + path + "get-osinfo", call -> Map.of("result", agent.osInfo(call.node(), call.vmid())));
        routes.add("GET " + path + "get-host-name", call -> Map.of("result",
                Map.of("host-name", agent.hostName(call.node(), call.vmid()))));
        routes.add("GET " + path + "network-get-interfaces", call -> Map.of("result",
                agent.interfaces(call.node(), call.vmid())));
        routes.add("POST " + path + "exec", this::exec);
        routes.add("GET " + path + "exec-status", call -> agent.execStatus(call.node(), call.vmid(), call.number("pid", 0)));
        routes.add("GET " + path + "file-read", this::read);
        routes.add("POST " + path + "file-write", this::write);
        routes.add("POST " + path + "shutdown", this::shutdown);
    }

    private Object ping(ApiCall call) throws PveError {
        agent.ping(call.node(), call.vmid());
        return Map.of("result", Map.of());
    }

    /** Before 8.0 the command is one text: pieces between NULs if it has any, else between blanks, commas and semicolons. */
    private Object exec(ApiCall call) throws PveError {
        boolean oneText = world.read(w -> PveVersion.of(w.hosts.get(call.node())).major()) < 8;
        List<String> command = call.all("command");
        if (oneText && !command.isEmpty()) {
            String text = command.getFirst();
            command = Arrays.stream(text.split(text.indexOf('\0') >= 0 ? "\0" : "[ ,;]+")).filter(part -> !part.isEmpty())
                    .toList();
        }
        return Map.of("pid", agent.exec(call.node(), call.vmid(), command, call.text("input-data").orElse("")));
    }

    private Object read(ApiCall call) throws PveError {
        byte[] content = agent.read(call.node(), call.vmid(), call.need("file"));
        int offset = Math.min(content.length, call.number("offset", 0));
        int end = Math.min(content.length, offset + Math.min(MOST_BYTES, call.number("count", MOST_BYTES)));
        byte[] part = Arrays.copyOfRange(content, offset, end);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("content", call.flag("decode", true) ? new String(part, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(part));
        data.put("bytes-read", part.length);
        if (end < content.length) {
            data.put("truncated", 1);
        }
        return data;
    }

    private Object write(ApiCall call) throws PveError {
        String content = call.need("content");
        try {
            agent.write(call.node(), call.vmid(), call.need("file"), call.flag("encode", true)
                    ? content.getBytes(StandardCharsets.UTF_8) : Base64.getDecoder().decode(content));
        } catch (IllegalArgumentException e) {
            throw PveError.died("Agent error: Failed to decode the content as base64");
        }
        return null;
    }

    private Object shutdown(ApiCall call) throws PveError {
        agent.ping(call.node(), call.vmid());
        power.guestPowersOff(call.node(), call.vmid());
        return Map.of("result", Map.of());
    }
}
