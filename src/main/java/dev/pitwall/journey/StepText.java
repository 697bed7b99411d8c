package dev.pitwall.journey;

/**
 * The words of a step, from {@code journey/steps.yaml}.
 *
 * @param system what it touches: {@code host}, {@code vm}, {@code node}, {@code cluster} or {@code proof}
 * @param title  for example {@code Bind the card to vfio-pci}
 * @param text   what and why in two sentences
 */
public record StepText(String system, String title, String text) {
}
