import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ReviewPanel } from '../actions/review-panel.tsx'
import type { RequestOptions } from '../actions/reviewed-action.ts'
import { answerOf, api, type Role } from '../api/client.ts'
import { loadOwnPrincipal } from '../api/own-roles.ts'
import { sessionKey } from '../api/session.ts'
import { watcherRoles } from '../api/watcher-roles.ts'
import { textFor, useTexts } from '../texts/texts.tsx'
import { useSession } from './session-context.ts'

/** Reviews and saves the principal of the session with all roles of people. */
export function GrantRoles({ onClose }: { onClose: () => void }) {
  const texts = useTexts()
  const { ownRoles } = texts.signIn
  const { principal } = useSession()
  const { data: own } = useQuery({
    queryKey: ['principal', 'own', principal.id],
    queryFn: () => loadOwnPrincipal(principal),
  })
  const { data: listed = [] } = useQuery({
    queryKey: ['roles'],
    queryFn: () => answerOf(api.GET('/api/admin/roles')),
    staleTime: Infinity,
  })
  const isOwn = ({ role }: { role: string }) => principal.roles.includes(role)
  const missing = listed.filter((one) => !isOwn(one) && !watcherRoles.includes(one.role))
  const roles = [...listed.filter(isOwn), ...missing].map(({ role }) => role as Role)
  const send = async (options: RequestOptions) => {
    if (!own) throw new Error('The principal has not been loaded.')
    return own.setRoles(roles, options)
  }
  return (
    <ReviewPanel
      isOpen
      onClose={onClose}
      action={{
        title: ownRoles.title,
        label: ownRoles.grant,
        isComplete: own !== undefined && roles.length > 0,
        requestKey: [roles, own?.etag],
        ...(own && { etag: own.etag }),
        send,
        describe: () => ownRoles.describe(principal.displayName, missing.length),
        details: () => (
          <List size="sm" spacing={4}>
            {missing.map(({ role, description }) => (
              <List.Item key={role}>
                {role}
                <Text size="xs" c="dimmed">
                  {textFor(texts.roles.explained, role) ?? description}
                </Text>
              </List.Item>
            ))}
          </List>
        ),
        done: () => ({ text: ownRoles.done }),
        refreshes: [sessionKey],
      }}
    />
  )
}
