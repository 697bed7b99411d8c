package dev.pitwall.journey.survey;

import dev.pitwall.card.PciFunction;
import dev.pitwall.journey.Proxmox.Caller;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A VM as the Proxmox API showed it at one moment.
 *
 * @param config   pending changes counted
 * @param live     what the running VM has; equal to {@code config} where nothing is pending or it is off
 * @param digest   of the configuration, given back with a write
 * @param status   {@code running} or {@code stopped}
 * @param qmp      {@code running}, {@code paused}, {@code prelaunch}, ...; empty where it is off
 * @param lock     for example {@code backup}
 * @param uptimeSeconds empty where it is off
 * @param agent    whether the guest agent answers; empty where it was not asked
 * @param ha       the state its HA resource is kept in; empty where HA does not manage it
 * @param backups  ids of backup jobs that include it
 * @param caller   who is signed in to the API
 * @param guest    what the guest itself shows of its PCI devices; empty where nobody could look
 * @param shown    what the survey rests on, by the names of {@link Showing}
 */
public record VmSurvey(String node, int vmid, String name, SortedMap<String, String> config,
                       SortedMap<String, String> live, String digest, String status, Optional<String> qmp,
                       Optional<String> lock, OptionalLong uptimeSeconds, Optional<Boolean> agent,
                       Optional<String> ha, List<String> backups, Caller caller,
                       Optional<List<PciFunction>> guest, Map<String, Shown> shown) {

    public VmSurvey {
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        live = Collections.unmodifiableSortedMap(new TreeMap<>(live));
        backups = List.copyOf(backups);
        guest = guest.map(List::copyOf);
        shown = Map.copyOf(shown);
    }

    /** The VM as it would be read if it were configured so; what it runs with stays. */
    public VmSurvey configured(SortedMap<String, String> other) {
        return new VmSurvey(node, vmid, name, other, live, digest, status, qmp, lock, uptimeSeconds, agent, ha, backups,
                caller, guest, shown);
    }

    public boolean running() {
        return status.equals("running");
    }
}
