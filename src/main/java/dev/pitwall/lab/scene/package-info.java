/**
 * Scenes: how a homelab is when its lab starts, written in YAML or generated.
 */
package dev.pitwall.lab.scene;
