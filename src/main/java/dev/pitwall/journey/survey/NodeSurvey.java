package dev.pitwall.journey.survey;

import java.util.Map;

/** The operating system of the node that has the card, as it showed itself at one moment. */
public sealed interface NodeSurvey permits ShellNode, TalosNode, UnreadNode {

    /** The node's name in the cluster. */
    String name();

    /** What the survey rests on. */
    Map<String, Shown> shown();
}
