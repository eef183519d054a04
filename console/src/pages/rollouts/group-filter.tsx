import { GroupChoice } from '../../components/group-choice.tsx'
import { useTexts } from '../../texts/texts.tsx'

type GroupFilterProps = { value: string; onChange: (groupId: string) => void }

export function GroupFilter({ value, onChange }: GroupFilterProps) {
  const { filters } = useTexts().rollouts
  return <GroupChoice label={filters.group} placeholder={filters.clearGroup} value={value} onChange={onChange} />
}
