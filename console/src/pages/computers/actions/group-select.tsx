import { type ChosenGroup, GroupChoice } from '../../../components/group-choice.tsx'
import { useTexts } from '../../../texts/texts.tsx'

type GroupSelectProps = { value: ChosenGroup | undefined; onChange: (group: ChosenGroup | undefined) => void }

/** The group that an action is about. */
export function GroupSelect({ value, onChange }: GroupSelectProps) {
  const { actions } = useTexts().computers
  return <GroupChoice label={actions.group} value={value?.id ?? ''} onChange={(_, group) => onChange(group)} />
}
