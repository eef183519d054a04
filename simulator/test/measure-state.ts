import { newFleet } from '../src/fleet.ts'
import { newQueue } from '../src/queue.ts'
import { readScenario } from '../src/scenario.ts'
import { timerWheel } from '../src/timer-wheel.ts'

/** Prints the memory per computer in bytes for a fleet of 100,000, without requests that are under way. */
const computers = 100_000
const bytes = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
const before = bytes()
const fleet = newFleet(readScenario({ computers }))
const wheel = timerWheel(fleet.size, Date.now())
const queue = newQueue(fleet.size)
for (let computer = 0; computer < computers; computer++) {
  fleet.credential[computer] = `agent-${computer}.${Buffer.alloc(32, computer).toString('base64url')}`
  fleet.packages.set(
    computer,
    Array.from({ length: 10 }, (_, at) => at),
  )
  wheel.set(computer, Date.now() + computer)
}
const after = bytes()
console.log(JSON.stringify({ perComputer: (after - before) / computers, inUse: [fleet.size, queue.length()] }))
