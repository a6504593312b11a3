;; A tree of threads, ten children each; a leaf reports its number, the others a sum.

(define (node parent number leaves)
  (thread-send
    parent
    (if (= leaves 1)
        number
        (let ((self (current-thread)) (each (quotient leaves 10)))
          (do ((i 0 (+ i 1)))
              ((= i 10))
            (let ((first (+ number (* i each))))
              (start (lambda () (node self first each)))))
          (let loop ((left 10) (sum 0))
            (if (= left 0) sum (loop (- left 1) (+ sum (thread-receive)))))))))

(define (run-skynet leaves)
  (let ((parent (current-thread)) (begun (now)))
    (start (lambda () (node parent 0 leaves)))
    (let* ((sum (thread-receive)) (wall (- (now) begun)))
      (ensure "the sum of the leaves" sum (sum-below leaves))
      wall)))

(define (skynet args)
  (let ((leaves (count-of args "leaves" 1000000)))
    (let loop ((n leaves))
      (if (> n 1)
          (if (= (modulo n 10) 0)
              (loop (quotient n 10))
              (bad-argument "leaves=" leaves " is not a power of ten"))))
    (repeat
      (lambda () (run-skynet leaves))
      (lambda (cold warm)
        (list "ms" (* 1e3 warm) "ms_cold" (* 1e3 cold) "sum" (sum-below leaves))))))
