import { Button, Checkbox, Group, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Role } from '../api/client.ts'
import { useRoles } from '../api/roles.ts'
import { watcherRoles } from '../api/watcher-roles.ts'
import { usePrincipalTexts } from '../texts/principal-texts.ts'
import { textFor, useTexts } from '../texts/texts.tsx'
import { Loading } from './loading.tsx'
import { ProblemView } from './problem-view.tsx'

type RolePickerProps = { value: Role[]; onChange: (roles: Role[]) => void; error?: ReactNode }

/** Lists all roles with an explanation each. */
export function RolePicker({ value, onChange, error }: RolePickerProps) {
  const texts = useTexts()
  const own = usePrincipalTexts()
  const roles = useRoles()
  if (roles.error) return <ProblemView error={roles.error} onRetry={roles.refetch} />
  if (!roles.data) return <Loading height={240} />
  const names = roles.data.map(({ role }) => role as Role)
  return (
    <Checkbox.Group
      label={own.roles}
      description={own.rolesHint}
      value={value}
      onChange={(chosen) => onChange(names.filter((role) => chosen.includes(role)))}
      error={error}
    >
      <Group gap={6} mt={6}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onChange(names.filter((role) => role.endsWith('.read') && !watcherRoles.includes(role)))}
        >
          {own.allReadRoles}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
          {own.noRoles}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" verticalSpacing="sm" mt="sm" mb="xs">
        {roles.data.map(({ role, description }) => (
          <Checkbox
            key={role}
            value={role}
            label={role}
            description={textFor(texts.roles.explained, role) ?? description}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
