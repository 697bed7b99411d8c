package dev.pitwall.lab.proxmox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.world.HostApi;

import java.util.List;
import java.util.Map;

/** The API for programs on the hosts themselves: no ticket, always root. */
final class LocalApi implements HostApi {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PveApi api;
    private final NodePower power;

    LocalApi(PveApi api, NodePower power) {
        this.api = api;
        this.power = power;
    }

    @Override
    public JsonNode call(String node, String method, String path, Map<String, List<String>> parameters)
            throws Refused, InterruptedException {
        try {
            Object data = api.answerRoot(node, method, path, parameters);
            return JSON.valueToTree(data instanceof Reply reply ? reply.data() : data);
        } catch (PveError e) {
            throw new Refused(e.status(), e.getMessage(), e.errors());
        }
    }

    @Override
    public void goDown(String node, Then then) {
        power.goDown(node, switch (then) {
            case REBOOT -> NodePower.Then.REBOOT;
            case STAY_OFF -> NodePower.Then.STAY_OFF;
        });
    }
}
