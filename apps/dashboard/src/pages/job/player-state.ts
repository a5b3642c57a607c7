import { useSyncExternalStore } from 'react'

type Command = (name: 'seekTo' | 'playVideo' | 'pauseVideo', ...args: unknown[]) => void

/** The position of the player and the commands for it. Created for each visit to a job page. */
export class PlayerState {
  /** Seconds from the start of the video. */
  time = 0
  /** Whether the user has asked for the video. Until then, nothing is loaded from the platform. */
  isOpen = false
  readonly #listeners = new Set<() => void>()
  #command: Command | undefined
  #isPlaying = false

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects the frame of the player; returns a function that disconnects it. */
  connect(command: Command): () => void {
    this.#command = command
    return () => {
      this.#command = undefined
    }
  }

  /** Called when the player reports its position. */
  report(time: number, isPlaying: boolean): void {
    this.#isPlaying = isPlaying
    if (time !== this.time) this.#set({ time })
  }

  open(): void {
    this.#set({ isOpen: true })
  }

  seek(seconds: number): void {
    this.#set({ time: seconds })
    this.#command?.('seekTo', seconds, true)
    this.#command?.('playVideo')
  }

  togglePlay(): void {
    if (!this.isOpen) this.open()
    else this.#command?.(this.#isPlaying ? 'pauseVideo' : 'playVideo')
  }

  #set(changes: { time?: number; isOpen?: boolean }): void {
    Object.assign(this, changes)
    for (const listener of this.#listeners) listener()
  }
}

export const usePlayerTime = (player: PlayerState): number => useSyncExternalStore(player.subscribe, () => player.time)

export const useIsPlayerOpen = (player: PlayerState): boolean =>
  useSyncExternalStore(player.subscribe, () => player.isOpen)
