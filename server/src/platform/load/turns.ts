/** The result of the work, or the seconds after which the machine should come back for it. */
export type TurnOutcome<T> = { result: T; secondsToTurn?: undefined } | { result?: undefined; secondsToTurn: number }

/** Paces expensive work for machines by what this process completes. Machines that come while it is saturated get turns. */
export type Turns = {
  /**
   * Runs the work at once while the process is not saturated, and otherwise if it is the turn of the machine. `claim`
   * returns the turn that the machine already has, or else stores the one that is offered.
   */
  run<T>(claim: (offered: Date) => Promise<Date>, work: () => Promise<T>): Promise<TurnOutcome<T>>
  state(): { running: number; waiting: number; perSecond: number }
}

/** Before anything is measured. High so that a service that has just started sends nobody away. */
const initialRate = 640
const minRunning = 16
/** The rate is measured over at least this many completed requests. */
const minSample = 20
const weightOfSample = 0.3

// Turns are given for less than the measured rate while many requests run, and for more while few do: only then does the
// measured rate rise again after it has fallen.
const paces = { busy: 0.95, roomy: 1.25 }

/** Up to this load, a machine is served in its turn. Above, it is asked to try again, but no longer than a minute. */
const maxLoadInTurn = 2
const maxWaitForRoomMs = 60_000
/** Up to this load, a machine is served before its turn. */
const maxLoadForEarly = 0.25
/** A machine that comes a little early is in time. */
const toleranceMs = 500
const minTurnDelayMs = 1_000

/**
 * What runs is complete after about as long as it takes to complete all that runs. As much may run as keeps that below
 * `latencyMs`; with 0, any amount. `now` is a clock in milliseconds.
 */
export function openTurns(latencyMs: number, now: () => number = Date.now): Turns {
  const capacity = openCapacity(latencyMs, now)
  let nextTurnAt = 0

  const turnMs = () => 1_000 / (capacity.rate() * (capacity.load() < 0.5 ? paces.roomy : paces.busy))

  function mayBegin(turnAt: Date): boolean {
    const late = now() - turnAt.getTime()
    // Those that come early may use what is left of the capacity.
    if (late < -toleranceMs) return capacity.load() < maxLoadForEarly
    return capacity.load() < maxLoadInTurn || late > maxWaitForRoomMs
  }

  /** Returns the turn of a machine that has to come back, and undefined if its work may begin. */
  async function findLaterTurn(claim: (offered: Date) => Promise<Date>): Promise<Date | undefined> {
    if (latencyMs === 0 || (capacity.load() < 1 && nextTurnAt <= now())) return undefined
    const offered = new Date(Math.max(nextTurnAt, now() + minTurnDelayMs))
    nextTurnAt = offered.getTime() + turnMs()
    const turnAt = await claim(offered)
    if (turnAt.getTime() !== offered.getTime()) nextTurnAt -= turnMs()
    return mayBegin(turnAt) ? undefined : turnAt
  }

  return {
    async run(claim, work) {
      const turnAt = await findLaterTurn(claim)
      if (turnAt) return { secondsToTurn: secondsUntil(turnAt.getTime() - now()) }
      const end = capacity.begin()
      try {
        return { result: await work() }
      } finally {
        end()
      }
    },
    state: () => ({
      running: capacity.running(),
      waiting: Math.max(0, Math.round((nextTurnAt - now()) / turnMs())),
      perSecond: capacity.rate(),
    }),
  }
}

/** If its turn has come already, the machine tries again soon, at a random time: others may be in the same situation. */
function secondsUntil(milliseconds: number): number {
  return Math.round(10 * Math.max(milliseconds / 1_000, 1 + 2 * Math.random())) / 10
}

/** Measures how much work is completed in a second while there is any, and how much may run at once. */
function openCapacity(latencyMs: number, now: () => number) {
  let running = 0
  let rate = initialRate
  let sample = { completed: 0, busyMs: 0 }
  let busySince = 0

  function end(): void {
    running--
    const at = now()
    sample = { completed: sample.completed + 1, busyMs: sample.busyMs + at - busySince }
    busySince = at
    if (sample.completed < minSample || sample.busyMs === 0) return
    rate += weightOfSample * ((1_000 * sample.completed) / sample.busyMs - rate)
    sample = { completed: 0, busyMs: 0 }
  }

  return {
    rate: () => rate,
    running: () => running,
    /** From 1 on, the work takes longer than it should. */
    load: () => running / Math.max(minRunning, (rate * latencyMs) / 1_000),
    begin() {
      if (running === 0) busySince = now()
      running++
      return end
    },
  }
}
