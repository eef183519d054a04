import { answerOf, api } from './client.ts'

export const secretsKey = (principalId: number) => ['secrets', principalId]

export function listSecrets(id: number) {
  return answerOf(api.GET('/api/admin/local-principals/{id}/secrets', { params: { path: { id } } }))
}

export function createSecret(id: number, body: { previousValidHours: number }, idempotencyKey: string) {
  const params = { path: { id }, header: { 'Idempotency-Key': idempotencyKey } }
  return answerOf(api.POST('/api/admin/local-principals/{id}/secrets', { params, body }))
}

export function deleteSecret(id: number, secretId: number) {
  return api.DELETE('/api/admin/local-principals/{id}/secrets/{secretId}', { params: { path: { id, secretId } } })
}
