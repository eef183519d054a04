import { useFormat } from '../texts/format.ts'

/** A point in time, in the person's own form and time zone; the exact UTC time is the hint. */
export function Moment({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={at}>
      {format.dateTime(at)}
    </time>
  )
}
