import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { GroupChoice } from '../../components/group-choice.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTokenTexts } from '../../texts/token-texts.ts'

type GroupFieldProps = { value: string; onChange: (groupId: string) => void; error?: ReactNode }

/** Selects a group by its path, or by its ID if the person may not read groups. Tokens with a group require group.write. */
export function GroupField(props: GroupFieldProps) {
  const tokens = useTokenTexts()
  const [mayRead, mayChoose] = [useHasRole('group.read'), useHasRole('group.write')]
  if (!mayChoose) return <TextInput label={tokens.group} description={tokens.groupNeedsRole} disabled />
  if (mayRead) return <GroupChoice label={tokens.group} description={tokens.groupHint} {...props} />
  return (
    <TextInput
      label={tokens.group}
      description={tokens.groupIdHint}
      spellCheck={false}
      {...props}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
