import { GroupChoice } from '../../components/group-choice.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'

type GroupFilterProps = { value: string; onChange: (groupId: string) => void }

export function GroupFilter({ value, onChange }: GroupFilterProps) {
  const { filters } = useRolloutTexts()
  return <GroupChoice label={filters.group} placeholder={filters.clearGroup} value={value} onChange={onChange} />
}
