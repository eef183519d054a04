import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useEventStream } from '../../live/live-context.ts'
import { useStreamState } from '../../live/use-stream-state.ts'
import { readLatest, readSince, type ServiceEvent } from './events.ts'

/** Nobody reads more lines per second: events of a moment are shown together. */
const batchMilliseconds = 250
/** The newest are kept; earlier ones can be loaded again. */
const maxArrived = 500

/** The latest events and those that happen, newest first. Those after the position at which the person paused are only counted. */
export function useLiveEvents(types: string, pausedAt: number | undefined) {
  const past = useInfiniteQuery({
    queryKey: ['events', 'latest', types],
    queryFn: ({ pageParam }) => readLatest(types, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ from, hasEarlier }) => (hasEarlier ? from : undefined),
    // The stream keeps it current.
    staleTime: Infinity,
    gcTime: 0,
  })
  const loaded = useMemo(() => past.data?.pages.flatMap(({ events }) => events), [past.data])
  const newestLoaded = past.data && positionOf(loaded?.[0], past.data.pages[0]?.from ?? 0)
  const arrived = useArrivedEvents(types, newestLoaded, past.refetch)
  const shown = pausedAt === undefined ? arrived : arrived.filter(({ position }) => Number(position) <= pausedAt)
  return {
    ...past,
    events: loaded && [...shown, ...loaded],
    waiting: arrived.length - shown.length,
    newestPosition: positionOf(arrived[0], newestLoaded ?? 0),
    /** Events after this position were looked at. */
    searchedFrom: past.data?.pages.at(-1)?.from,
  }
}

const positionOf = (event: ServiceEvent | undefined, otherwise: number) =>
  event === undefined ? otherwise : Number(event.position)

type Arrived = { types: string; events: readonly ServiceEvent[] }

/** What has happened after a position: by the stream and, where that began later or was interrupted, by reading it. */
function useArrivedEvents(types: string, since: number | undefined, readAgain: () => unknown): readonly ServiceEvent[] {
  const stream = useEventStream()
  const isLive = useStreamState() === 'live'
  const [arrived, setArrived] = useState<Arrived>({ types, events: [] })
  const events = arrived.types === types ? arrived.events.filter(({ position }) => Number(position) > (since ?? 0)) : []
  const add = useEffectEvent((added: readonly ServiceEvent[]) =>
    setArrived((before) => ({ types, events: merge(added, before.types === types ? before.events : []) })),
  )
  useEffect(() => {
    let collected: ServiceEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = stream.subscribe({
      types: types === '' ? ['muster.*'] : types.split(','),
      onEvent(event) {
        collected.push(event as unknown as ServiceEvent)
        timer ??= setTimeout(() => {
          add(collected)
          collected = []
          timer = undefined
        }, batchMilliseconds)
      },
      // What was missed is read below.
      onReturn: () => undefined,
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [stream, types])
  const catchUp = useEffectEvent(async (isCurrent: () => boolean) => {
    const missed = await readSince(types, positionOf(events[0], since ?? 0))
    if (!isCurrent()) return
    if (missed) add(missed)
    else readAgain()
  })
  const isLoaded = since !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: other types have other events
  useEffect(() => {
    if (!isLoaded || !isLive) return
    let isCurrent = true
    // The notice about the stream says that something is wrong.
    catchUp(() => isCurrent).catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [types, isLoaded, isLive])
  return events
}

/** Events of both lists, each once, newest first. */
function merge(added: readonly ServiceEvent[], before: readonly ServiceEvent[]): ServiceEvent[] {
  const byPosition = new Map([...before, ...added].map((event) => [Number(event.position), event]))
  return [...byPosition]
    .sort(([a], [b]) => b - a)
    .slice(0, maxArrived)
    .map(([, event]) => event)
}
