package dev.pitwall.lab.proxmox;

import java.util.Arrays;
import java.util.List;

/** Power of VMs and nodes. [facts: proxmox.md 1.5, 1.11] */
final class PowerCalls {
    private final VmPower power;
    private final NodePower nodes;
    private final Rights rights;

    PowerCalls(Datacenter datacenter) {
        this.power = datacenter.power();
        this.nodes = datacenter.nodes();
        this.rights = datacenter.rights();
    }

    void addTo(RouteTable routes) {
        String status = "POST /nodes/{node}/qemu/{vmid}/status/";
        routes.add(status + "start", call -> power.start(call.login(), call.node(), call.vmid(), request(call)));
        routes.add(status + "stop", call -> power.stop(call.login(), call.node(), call.vmid(), request(call)));
        routes.add(status + "shutdown", call -> power.shutdown(call.login(), call.node(), call.vmid(), request(call)));
        routes.add(status + "reboot", call -> power.reboot(call.login(), call.node(), call.vmid(), call.seconds("timeout")));
        routes.add(status + "reset", call -> power.reset(call.login(), call.node(), call.vmid(), request(call)));
        routes.add(status + "suspend", this::suspend);
        routes.add(status + "resume", call -> power.resume(call.login(), call.node(), call.vmid(), request(call)));
        routes.add("POST /nodes/{node}/status", this::node);
        routes.add("POST /nodes/{node}/startall", this::startAll);
        routes.add("POST /nodes/{node}/stopall", this::stopAll);
        routes.add("POST /nodes/{node}/wakeonlan", this::wake);
    }

    private static PowerRequest request(ApiCall call) throws PveError {
        if (call.flag("keepActive", false) && !Rights.isRoot(call.login())) {
            throw PveError.parameter("keepActive", "Only root may use this option.");
        }
        return new PowerRequest(call.flag("skiplock", false), call.seconds("timeout"), call.flag("forceStop", false),
                call.flag("overrule-shutdown", false));
    }

    private Object suspend(ApiCall call) throws PveError {
        return call.flag("todisk", false) ? power.suspendToDisk(call.login(), call.node(), call.vmid())
                : power.pause(call.login(), call.node(), call.vmid(), request(call));
    }

    /** Answers null at once. [facts: proxmox.md 1.5] */
    private Object node(ApiCall call) {
        nodes.goDown(call.node(), call.need("command").equals("reboot") ? NodePower.Then.REBOOT : NodePower.Then.STAY_OFF);
        return null;
    }

    private Object startAll(ApiCall call) throws PveError {
        return nodes.startAll(call.login(), call.node(), vms(call), call.flag("force", false));
    }

    private Object stopAll(ApiCall call) throws PveError {
        return nodes.stopAll(call.login(), call.node(), vms(call), call.seconds("timeout"));
    }

    /** On {@code /}, or on each VM that is named. */
    private List<Integer> vms(ApiCall call) throws PveError {
        List<Integer> named = call.text("vms").stream().flatMap(text -> Arrays.stream(text.split("[,; ]+")))
                .filter(text -> !text.isEmpty()).map(Integer::valueOf).toList();
        if (rights.has(call.login(), "/", "VM.PowerMgmt")) {
            return named;
        }
        if (named.isEmpty()) {
            throw PveError.forbidden("/, VM.PowerMgmt");
        }
        for (int vmid : named) {
            rights.need(call.login(), "/vms/" + vmid, "VM.PowerMgmt");
        }
        return named;
    }

    /** The magic packet goes to the address that the node's options name; without one there is nowhere to send it. */
    private Object wake(ApiCall call) throws PveError {
        return nodes.wake(call.need("node"));
    }
}
