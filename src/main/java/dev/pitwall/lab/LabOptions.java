package dev.pitwall.lab;

import dev.pitwall.lab.scene.Fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * How a lab is to start.
 *
 * @param scene         {@code garage}, or {@code fleet} for a generated one
 * @param ground        whether its cards are set up
 * @param fleet         size of a generated scene; other scenes have their own
 * @param faults        faults to begin with, each {@code TRAP} or {@code TRAP@CARD}
 * @param dir           where {@code site.json}, {@code kubeconfig} and the SSH key are written; made if absent
 * @param seed          the same seed gives the same run
 * @param speed         lab seconds a real second, over 0 and at most 1000
 * @param time          real time
 * @param loginPenalty  how long Proxmox waits before it answers 401, and for a node that is silent; the real one
 *                      waits 3 seconds
 */
public record LabOptions(String scene, Ground ground, Fleet.Size fleet, List<String> faults, Path dir, long seed, double speed,
                         InstantSource time, Duration loginPenalty) {

    /** How far a scene is when the lab starts. */
    public enum Ground {
        /** As the scene says. */
        AS_IT_IS,
        /** Hosts, VMs and nodes without drivers, operator and model servers; the VMs of nodes without their cards. */
        BARE
    }

    public LabOptions {
        faults = List.copyOf(faults);
    }

    /** The garage at normal speed, without faults. */
    public static LabOptions garage(Path dir) {
        return new LabOptions("garage", Ground.AS_IT_IS, Fleet.Size.USUAL, List.of(), dir, 1, 1, InstantSource.system(),
                Duration.ofSeconds(3));
    }

    public LabOptions withScene(String newScene) {
        return new LabOptions(newScene, ground, fleet, faults, dir, seed, speed, time, loginPenalty);
    }

    public LabOptions withGround(Ground newGround) {
        return new LabOptions(scene, newGround, fleet, faults, dir, seed, speed, time, loginPenalty);
    }

    public LabOptions withFleet(Fleet.Size size) {
        return new LabOptions("fleet", ground, size, faults, dir, seed, speed, time, loginPenalty);
    }

    public LabOptions withFaults(List<String> newFaults) {
        return new LabOptions(scene, ground, fleet, newFaults, dir, seed, speed, time, loginPenalty);
    }

    public LabOptions withSeed(long newSeed) {
        return new LabOptions(scene, ground, fleet, faults, dir, newSeed, speed, time, loginPenalty);
    }

    public LabOptions withSpeed(double newSpeed) {
        return new LabOptions(scene, ground, fleet, faults, dir, seed, newSpeed, time, loginPenalty);
    }

    public LabOptions withLoginPenalty(Duration penalty) {
        return new LabOptions(scene, ground, fleet, faults, dir, seed, speed, time, penalty);
    }
}
