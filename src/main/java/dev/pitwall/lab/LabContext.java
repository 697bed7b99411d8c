package dev.pitwall.lab;

import dev.pitwall.lab.fault.FaultBoard;
import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.world.World;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * What a lab server is made from.
 *
 * @param dir          where it may leave files for clients, such as {@code kubeconfig}
 * @param time         real time, for what must not run faster: tickets and one-time passwords
 * @param loginPenalty see {@link LabOptions}
 * @param faults       switches faults on and off
 * @param startFaults  faults to begin with, each {@code TRAP} or {@code TRAP@CARD}
 */
public record LabContext(World world, LabAuthority authority, LabHttp http, Path dir, InstantSource time,
                         Duration loginPenalty, FaultBoard faults, List<String> startFaults) {

    /** A lab that begins without faults. */
    public LabContext(World world, LabAuthority authority, LabHttp http, Path dir, InstantSource time,
                      Duration loginPenalty) {
        this(world, authority, http, dir, time, loginPenalty, new FaultBoard(world), List.of());
    }
}
