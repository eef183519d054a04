import { Accordion, Badge, Code, Group, Table, Text } from '@mantine/core'
import { useRoleOperations } from '../../api/role-operations.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import classes from './roles-page.module.css'

type RoleOperations = NonNullable<ReturnType<typeof useRoleOperations>['data']>[number]

export function RolesPage() {
  const texts = useTexts()
  const filters = useFilters(['search'])
  const { data, error, refetch } = useRoleOperations()
  const { search } = filters.values
  return (
    <Page title={texts.roles.title} intro={texts.roles.intro}>
      <FilterBar filters={filters}>
        <SearchField
          label={texts.roles.search}
          placeholder={texts.roles.searchHint}
          value={search}
          onSearch={(text) => filters.set({ search: text })}
        />
      </FilterBar>
      {error ? (
        <ProblemView error={error} onRetry={refetch} />
      ) : data ? (
        <RoleList key={search} roles={rolesWith(search, data)} areAllOpen={search !== ''} />
      ) : (
        <Loading height={320} />
      )}
    </Page>
  )
}

/** The roles with the operations that contain the text. */
function rolesWith(search: string, roles: RoleOperations[]): RoleOperations[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return roles
  return roles
    .map((role) => ({
      ...role,
      operations: role.operations.filter(({ operationId, method, path, summary }) =>
        `${operationId} ${method} ${path} ${summary}`.toLowerCase().includes(wanted),
      ),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function RoleList({ roles, areAllOpen }: { roles: RoleOperations[]; areAllOpen: boolean }) {
  const texts = useTexts()
  if (roles.length === 0) return <Text c="dimmed">{texts.common.nothingFound}</Text>
  return (
    <Accordion multiple variant="separated" order={2} defaultValue={areAllOpen ? roles.map(itemOf) : []}>
      {roles.map((role) => (
        <Accordion.Item key={role.role} value={itemOf(role)}>
          <Accordion.Control>
            <Group justify="space-between" gap="xs" pr="sm" className={classes.role}>
              <div>
                <Text fw={600}>{role.role}</Text>
                <Text size="sm" c="dimmed">
                  {explanation(texts.roles, role)}
                </Text>
              </div>
              <Badge color="gray">{texts.roles.operationCount(role.operations.length)}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Operations role={role} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

// Used in an element id, which must not contain spaces.
const itemOf = ({ role }: RoleOperations) => role.replaceAll(' ', '-')

function explanation(texts: ReturnType<typeof useTexts>['roles'], { role, description }: RoleOperations): string {
  return textFor({ ...texts.explained, ...texts.withoutRole }, role) ?? description
}

function Operations({ role: { role, operations } }: { role: RoleOperations }) {
  const { columns } = useTexts().roles
  return (
    <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': role } }}>
      <Table aria-label={role} fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.purpose}</Table.Th>
            <Table.Th>{columns.call}</Table.Th>
            <Table.Th>{columns.operation}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operations.map(({ operationId, method, path, summary }) => (
            <Table.Tr key={operationId}>
              <Table.Td>{summary}</Table.Td>
              <Table.Td>
                <Code>
                  {method} {path}
                </Code>
              </Table.Td>
              <Table.Td>{operationId}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
