/**
 * What a model needs of a card's memory: read from an Ollama answer or a GGUF file, worked out by the rules of llama.cpp
 * per architecture ({@code resources/engine}), and replaced by a measured figure once a load was measured.
 * All sizes are bytes.
 */
package dev.pitwall.engine.vram;
