import { useFormat } from '../texts/format.ts'

/** Shows a time in the person's format and time zone, with the exact UTC time as a tooltip. */
export function Moment({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={at}>
      {format.dateTime(at)}
    </time>
  )
}
