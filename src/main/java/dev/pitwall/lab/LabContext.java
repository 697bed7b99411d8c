package dev.pitwall.lab;

import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.net.LabHttp;
import dev.pitwall.lab.world.World;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What a lab server is made from.
 *
 * @param dir          where it may leave files for clients, such as {@code kubeconfig}
 * @param time         real time, for what must not run faster: tickets and one-time passwords
 * @param loginPenalty see {@link LabOptions}
 */
public record LabContext(World world, LabAuthority authority, LabHttp http, Path dir, InstantSource time,
                         Duration loginPenalty) {
}
