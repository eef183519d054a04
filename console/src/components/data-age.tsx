import { Moment } from './moment.tsx'
export function DataAge({ atUtc }: { atUtc: string }) {
  return <Moment at={atUtc} />
}
