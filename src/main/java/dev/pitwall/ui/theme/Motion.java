package dev.pitwall.ui.theme;

/** Whether things may move to where they belong, or are there at once. */
public enum Motion { FULL, NONE }
