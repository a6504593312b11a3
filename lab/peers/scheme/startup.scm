;; The smallest program: one thread answers one question.

(define (startup args)
  (let* ((asker (current-thread))
         (answerer (start (lambda () (thread-send asker (+ 1 (thread-receive)))))))
    (thread-send answerer 41)
    (ensure "the answer" (thread-receive) 42)
    (list "answers" 1)))
