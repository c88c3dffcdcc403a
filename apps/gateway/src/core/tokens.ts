export const CONFIGURATION = Symbol('CONFIGURATION');
export const REDIS_FOR_REQUESTS = Symbol('REDIS_FOR_REQUESTS');
export const REDIS_FOR_WORKERS = Symbol('REDIS_FOR_WORKERS');
/** The upstream without protection: for the stages of the case that pass requests on as they come. */
export const PASS_THROUGH_API = Symbol('PASS_THROUGH_API');
