/** Where a control plane tells of sessions, for its administrators. */
import type { CallOptions, Http } from "./http.ts";
import type {
  Ok,
  Webhook,
  WebhookCreateRequest,
  WebhookDelivery,
  WebhookDeliveryListResponse,
  WebhookListResponse,
} from "./schemas.gen.ts";
import { part, type QueryOf } from "./calls.ts";

export class Webhooks {
  /** @internal */
  readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** Be told at an address.  Its secret is in this answer and never again. */
  create(request: WebhookCreateRequest, options?: CallOptions): Promise<Webhook> {
    return this.http.post("/api/webhooks", request, options);
  }

  /** Every webhook, without its secret. */
  list(options?: CallOptions): Promise<WebhookListResponse> {
    return this.http.get("/api/webhooks", undefined, options);
  }

  /** Tell this address nothing more. */
  delete(id: string, options?: CallOptions): Promise<Ok> {
    return this.http.json("DELETE", `/api/webhooks/${part(id)}`, { ...options });
  }

  /** A new secret; for a day the one before signs too. */
  rotate(id: string, options?: CallOptions): Promise<Webhook> {
    return this.http.post(`/api/webhooks/${part(id)}/rotate`, {}, options);
  }

  /** Send a `webhook.test`. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.http.post(`/api/webhooks/${part(id)}/test`, {}, options);
  }

  /** What was sent and what is to be, newest first. */
  deliveries(
    id: string,
    query?: QueryOf<"listWebhookDeliveries">,
    options?: CallOptions,
  ): Promise<WebhookDeliveryListResponse> {
    return this.http.get(`/api/webhooks/${part(id)}/deliveries`, query, options);
  }

  /** Send one again that is over. */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.http.post(`/api/webhooks/${part(id)}/deliveries/${part(deliveryId)}/redeliver`, {}, options);
  }
}
